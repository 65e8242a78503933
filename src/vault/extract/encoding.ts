import { isAscii, isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import chardet from 'chardet';
import iconv from 'iconv-lite';
import { eastAsianEncodings, rarityOf } from './east-asian.ts';

const sampleBytes = 64 * 1024;

/**
 * Returns the start of a file and the first 64 KiB section that is not pure ASCII. The bytes that
 * distinguish encodings may come late in the file.
 */
export async function readSample(path: string): Promise<{ head: Buffer; nonAscii: Buffer }> {
  await using file = await open(path);
  const read = async (from: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sampleBytes), 0, sampleBytes, from);
    return buffer.subarray(0, bytesRead);
  };
  const head = await read(0);
  for (let at = 0, piece = head; piece.length > 0; at += piece.length, piece = await read(at))
    if (!isAscii(piece)) return { head, nonAscii: piece };
  return { head, nonAscii: head };
}

/**
 * Detects the encoding of a text, named as in iconv-lite or TextDecoder; null if the bytes are not
 * text. A byte order mark decides first, then UTF-16 and UTF-8, which other data rarely resembles,
 * then letter frequencies.
 */
export function encodingOf({ head, nonAscii }: { head: Buffer; nonAscii: Buffer }): string | null {
  const byteOrderMark = byteOrderMarks.find(({ mark }) =>
    head.subarray(0, mark.length).equals(mark),
  );
  if (byteOrderMark) return byteOrderMark.encoding;
  const utf16 = utf16Of(head);
  if (utf16) return utf16;
  if (looksBinary(head) || looksBinary(nonAscii)) return null;
  if (isAscii(nonAscii))
    return nonAscii.includes('\x1b$') || nonAscii.includes('\x1b(')
      ? escapedEncodingOf(nonAscii)
      : 'utf-8';
  if (isUtf8(withoutCutCharacters(nonAscii))) return 'utf-8';
  return singleOrDoubleByteOf(nonAscii);
}

const byteOrderMarks = [
  { mark: Buffer.from([0xef, 0xbb, 0xbf]), encoding: 'utf-8' },
  { mark: Buffer.from([0xff, 0xfe, 0, 0]), encoding: 'utf-32le' },
  { mark: Buffer.from([0, 0, 0xfe, 0xff]), encoding: 'utf-32be' },
  { mark: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { mark: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
];

/**
 * Detects UTF-16 by line ends, spaces and digits: their zero bytes are all at even or all at odd
 * positions. The decoded text must contain hardly any unusual characters.
 */
function utf16Of(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  const zeros = [0, 0];
  for (const [index, byte] of head.entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < head.length / 200 || Math.min(even, odd) > Math.max(even, odd) / 20)
    return null;
  // Few zeros among mostly ASCII bytes: a single-byte text with some stray NULs.
  const plain = head.reduce(
    (count, byte) =>
      byte < 0x7f && (byte > 31 || byte === 9 || byte === 10 || byte === 13) ? count + 1 : count,
    0,
  );
  if (Math.max(even, odd) < head.length / 4 && plain > head.length * 0.8) return null;
  const encoding = odd > even ? 'utf-16le' : 'utf-16be';
  const text = iconv.decode(head.subarray(0, head.length & ~1), encoding);
  const oddityCount = text.match(oddities)?.length ?? 0;
  return oddityCount <= text.length / 100 ? encoding : null;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
const oddities = /[\u0000-\u0008\u000E-\u001A\u007F-\u009F\uE000-\uF8FF\uFFFD-\uFFFF]/g;

/**
 * Text may contain a few stray NULs or control characters. Bytes with more than 1 % of them (and
 * more than four) count as binary.
 */
function looksBinary(bytes: Buffer): boolean {
  let controls = 0;
  for (const byte of bytes)
    if (byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32) || byte === 127)
      controls++;
  return controls > bytes.length / 3 || controls > Math.max(4, bytes.length / 100);
}

/** Removes incomplete characters (up to four bytes) from both ends of a section of a text. */
function withoutCutCharacters(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  let end = bytes.length;
  for (let back = 1; back <= 3; back++)
    if ((bytes[bytes.length - back] ?? 0) >= 0xc0) end = bytes.length - back;
  return bytes.subarray(start, bytes.length === sampleBytes ? end : bytes.length);
}

const escapedEncodingOf = (bytes: Buffer): string =>
  chardet.detect(bytes) === 'ISO-2022-JP' ? 'iso-2022-jp' : 'utf-8';

/**
 * Letter frequencies propose encodings, and the decoded text decides: with the right encoding,
 * words contain no symbols, no mixed alphabets, no capitals after small letters and few rare
 * characters. The common encodings are always among the candidates.
 */
function singleOrDoubleByteOf(bytes: Buffer): string {
  const section = bytes.subarray(0, 16 * 1024);
  const candidates = chardet
    .analyse(section)
    .filter(({ name, confidence }) => confidence >= 10 && !/^(?:UTF|ISO-2022|ASCII)/.test(name));
  const names = [
    ...candidates.map(({ name }) => windowsEquivalents[name] ?? name),
    'windows-1252',
    'windows-1251',
    'koi8-r',
    'cp850',
    'macintosh',
    ...eastAsianEncodings,
  ].filter((name) => iconv.encodingExists(name));
  const ratedNames = names.map((name) => {
    const text = iconv.decode(section, name);
    const unusual = oldEncodings.has(name) ? (text.match(notWestern)?.length ?? 0) : 0;
    return { name, faults: faultsOf(text) + 2 * unusual + rarityOf(section, name) };
  });
  return ratedNames.reduce((best, candidate) => (candidate.faults < best.faults ? candidate : best))
    .name;
}

/** Encodings of DOS and of old Macs are likely only for texts in languages of Western Europe. */
const oldEncodings = new Set(['cp850', 'macintosh']);
const notWestern = /[^\0-\x7FÀÂÄÅÆÇÈÉÊËÍÎÏÑÓÔÖØÚÛÜßàáâäåæçèéêëìíîïñòóôöøùúûüœ–—‘’“”„…«»°§€²]/g;

const faultForms: { form: RegExp; weight: number }[] = [
  { form: /\uFFFD/g, weight: 10 },
  { form: /[\u0080-\u009F\uE000-\uF8FF]/g, weight: 4 },
  { form: /\p{L}[\u00A1-\u00BF\u00D7\u00F7\u20A0-\u20BF\u2500-\u25FF]+\p{L}/gu, weight: 2 },
  {
    form: /[a-z][\u0370-\u06FF\u2E80-\u9FFF\uAC00-\uD7AF\uFF61-\uFF9F]|[\u0370-\u06FF\u2E80-\u9FFF\uAC00-\uD7AF\uFF61-\uFF9F][a-z]/gi,
    weight: 2,
  },
  // Quotation marks and other signs of Windows encodings inside a word: letters of DOS and old Macs.
  {
    form: /\p{L}[\u0192\u02C6\u02DC\u201A\u201C-\u201E\u2020-\u2022\u2030\u2039\u203A\u2122\uFB01\uFB02]\p{L}/gu,
    weight: 2,
  },
  { form: /\p{Ll}\p{Lu}/gu, weight: 1 },
  { form: /[À-ÿ]{2}|[\uFF61-\uFF9F]{2}/g, weight: 1 },
];

const faultsOf = (text: string): number =>
  faultForms.reduce((sum, { form, weight }) => sum + weight * (text.match(form)?.length ?? 0), 0);

/**
 * Windows encodings that contain these encodings. Browsers use the same mapping
 * (encoding.spec.whatwg.org, names and labels).
 */
const windowsEquivalents: Record<string, string> = {
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-9': 'windows-1254',
  Big5: 'big5-hkscs',
  Shift_JIS: 'shift_jis',
  'EUC-JP': 'euc-jp',
  'EUC-KR': 'euc-kr',
  GB18030: 'gb18030',
};
