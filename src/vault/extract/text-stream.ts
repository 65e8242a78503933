import { createReadStream } from 'node:fs';
import iconv from 'iconv-lite';

/**
 * Without what no reader shows: control characters but tabs and line feeds, code points that are
 * none, halves of surrogate pairs.
 */
export const printable = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\t\n]|[\uFFFE\uFFFF]/gu, '').toWellFormed();

export const soundText = (text: string): string => printable(text.replaceAll(/\r\n?/g, '\n'));

/**
 * A text file, piece by piece: line ends are line feeds, NUL and other control characters are gone,
 * halves of surrogate pairs are replaced. No piece ends inside a surrogate pair. Offsets count in
 * this text, not in the file.
 */
export async function* textOf(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = decoderOf(encoding);
  let held = '';
  let isFirst = true;
  for await (const bytes of createReadStream(path, { highWaterMark: 64 * 1024 })) {
    const decoded: string = held + decoder.write(bytes);
    if (decoded === '') continue;
    const text = isFirst && decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
    isFirst = false;
    const last = text.charCodeAt(text.length - 1);
    const end = last === 0x0d || (last & 0xfc00) === 0xd800 ? text.length - 1 : text.length;
    held = text.slice(end);
    const piece = soundText(text.slice(0, end));
    if (piece !== '') yield piece;
  }
  const rest = soundText(held + decoder.end());
  if (rest !== '') yield rest;
}

type Decoder = { write(bytes: Buffer): string; end(): string };

function decoderOf(encoding: string): Decoder {
  if (iconv.encodingExists(encoding)) {
    const decoder = iconv.getDecoder(encoding, { stripBOM: false });
    return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? '' };
  }
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}
