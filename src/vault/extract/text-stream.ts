import { createReadStream } from 'node:fs';
import iconv from 'iconv-lite';

/**
 * Removes characters that no program displays: control characters except tabs and line feeds,
 * noncharacters, and those that only say where a line may break (soft hyphen, zero-width space, word
 * joiner), because they break words for the search. Unpaired surrogates are replaced.
 */
export const removeUnprintable = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\t\n]|[\u00AD\u200B\u2060\uFEFF\uFFFE\uFFFF]/gu, '').toWellFormed();

export const cleanText = (text: string): string =>
  removeUnprintable(text.replaceAll(/\r\n?/g, '\n'));

/**
 * Reads a text file piece by piece. Line ends become line feeds, NUL and other control characters
 * are removed, unpaired surrogates are replaced. No piece ends inside a surrogate pair. Offsets
 * count in this text, not in the file.
 */
export async function* textOf(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = decoderOf(encoding);
  let pending = '';
  let isFirst = true;
  for await (const bytes of createReadStream(path, { highWaterMark: 64 * 1024 })) {
    const decoded: string = pending + decoder.write(bytes);
    if (decoded === '') continue;
    const text = isFirst && decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
    isFirst = false;
    const last = text.charCodeAt(text.length - 1);
    const end = last === 0x0d || (last & 0xfc00) === 0xd800 ? text.length - 1 : text.length;
    pending = text.slice(end);
    const piece = cleanText(text.slice(0, end));
    if (piece !== '') yield piece;
  }
  const rest = cleanText(pending + decoder.end());
  if (rest !== '') yield rest;
}

type StreamDecoder = { write(bytes: Buffer): string; end(): string };

function decoderOf(encoding: string): StreamDecoder {
  if (iconv.encodingExists(encoding)) {
    const decoder = iconv.getDecoder(encoding, { stripBOM: false });
    return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? '' };
  }
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}
