import { isAscii, isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import chardet from 'chardet';
import iconv from 'iconv-lite';

const sampleBytes = 64 * 1024;

/**
 * The first bytes of a file, and with them the first stretch that is not plain ASCII: what tells
 * one encoding from another may stand late.
 */
export async function sampleOf(path: string): Promise<{ head: Buffer; telling: Buffer }> {
  await using file = await open(path);
  const read = async (from: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sampleBytes), 0, sampleBytes, from);
    return buffer.subarray(0, bytesRead);
  };
  const head = await read(0);
  for (let at = 0, piece = head; piece.length > 0; at += piece.length, piece = await read(at))
    if (!isAscii(piece)) return { head, telling: piece };
  return { head, telling: head };
}

/**
 * The encoding of a text, as iconv-lite or TextDecoder call it; null: these bytes are no text. A
 * byte order mark counts first, then UTF-16 and UTF-8, which hardly anything else looks like, then
 * what the frequencies of letters say.
 */
export function encodingOf({ head, telling }: { head: Buffer; telling: Buffer }): string | null {
  const marked = byteOrderMarks.find(({ mark }) => head.subarray(0, mark.length).equals(mark));
  if (marked) return marked.encoding;
  const wide = utf16Of(head);
  if (wide) return wide;
  if (looksBinary(head) || looksBinary(telling)) return null;
  if (isAscii(telling))
    return telling.includes('\x1b$') || telling.includes('\x1b(') ? escapedOf(telling) : 'utf-8';
  if (isUtf8(withoutCutCharacters(telling))) return 'utf-8';
  return singleOrDoubleByteOf(telling);
}

const byteOrderMarks = [
  { mark: Buffer.from([0xef, 0xbb, 0xbf]), encoding: 'utf-8' },
  { mark: Buffer.from([0xff, 0xfe, 0, 0]), encoding: 'utf-32le' },
  { mark: Buffer.from([0, 0, 0xfe, 0xff]), encoding: 'utf-32be' },
  { mark: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { mark: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
];

/**
 * Line ends, spaces and digits give UTF-16 away: their zeros all stand on one side, and the text
 * decodes without oddities.
 */
function utf16Of(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  const zeros = [0, 0];
  for (const [index, byte] of head.entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < head.length / 200 || Math.min(even, odd) > Math.max(even, odd) / 20)
    return null;
  // Hardly any zeros among ASCII: a text of single bytes with stray NULs.
  const plain = head.reduce(
    (count, byte) =>
      byte < 0x7f && (byte > 31 || byte === 9 || byte === 10 || byte === 13) ? count + 1 : count,
    0,
  );
  if (Math.max(even, odd) < head.length / 4 && plain > head.length * 0.8) return null;
  const encoding = odd > even ? 'utf-16le' : 'utf-16be';
  const text = iconv.decode(head.subarray(0, head.length & ~1), encoding);
  const odds = text.match(oddities)?.length ?? 0;
  return odds <= text.length / 100 ? encoding : null;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what text has none of.
const oddities = /[\u0000-\u0008\u000E-\u001A\u007F-\u009F\uE000-\uF8FF\uFFFD-\uFFFF]/g;

/** Text may hold some stray NULs or control characters; a hundredth of them is no text any more. */
function looksBinary(bytes: Buffer): boolean {
  let controls = 0;
  for (const byte of bytes)
    if (byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32) || byte === 127)
      controls++;
  return controls > bytes.length / 3 || controls > Math.max(4, bytes.length / 100);
}

/** A stretch taken out of a text may begin and end inside a character of up to four bytes. */
function withoutCutCharacters(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  let end = bytes.length;
  for (let back = 1; back <= 3; back++)
    if ((bytes[bytes.length - back] ?? 0) >= 0xc0) end = bytes.length - back;
  return bytes.subarray(start, bytes.length === sampleBytes ? end : bytes.length);
}

const escapedOf = (bytes: Buffer): string =>
  chardet.detect(bytes) === 'ISO-2022-JP' ? 'iso-2022-jp' : 'utf-8';

/**
 * Frequencies of letters propose, and the text decides: in the right encoding words hold no signs,
 * no two alphabets and no capitals behind small letters. The West's and the Cyrillic ones are
 * always among the proposed.
 */
function singleOrDoubleByteOf(bytes: Buffer): string {
  const stretch = bytes.subarray(0, 16 * 1024);
  const proposed = chardet
    .analyse(stretch)
    .filter(({ name, confidence }) => confidence >= 10 && !/^(?:UTF|ISO-2022|ASCII)/.test(name));
  const names = [
    ...proposed.map(({ name }) => widenings[name] ?? name),
    'windows-1252',
    'windows-1251',
    'koi8-r',
  ].filter((name) => iconv.encodingExists(name));
  const rated = names.map((name) => ({ name, faults: faultsOf(iconv.decode(stretch, name)) }));
  return rated.reduce((best, other) => (other.faults < best.faults ? other : best)).name;
}

const faultForms: { form: RegExp; weight: number }[] = [
  { form: /\uFFFD/g, weight: 10 },
  { form: /[\u0080-\u009F\uE000-\uF8FF]/g, weight: 4 },
  { form: /\p{L}[\u00A1-\u00BF\u00D7\u00F7\u2500-\u25FF]+\p{L}/gu, weight: 2 },
  {
    form: /[a-z][\u0370-\u06FF\u2E80-\u9FFF\uAC00-\uD7AF\uFF61-\uFF9F]|[\u0370-\u06FF\u2E80-\u9FFF\uAC00-\uD7AF\uFF61-\uFF9F][a-z]/gi,
    weight: 2,
  },
  { form: /\p{Ll}\p{Lu}/gu, weight: 1 },
  { form: /[À-ÿ]{2}|[\uFF61-\uFF9F]{2}/g, weight: 1 },
];

const faultsOf = (text: string): number =>
  faultForms.reduce((sum, { form, weight }) => sum + weight * (text.match(form)?.length ?? 0), 0);

/**
 * Windows' encodings hold these and more; browsers read them so too (encoding.spec.whatwg.org,
 * names and labels).
 */
const widenings: Record<string, string> = {
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-9': 'windows-1254',
  Big5: 'big5-hkscs',
  Shift_JIS: 'shift_jis',
};
