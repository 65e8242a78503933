import { fileTypeFromBuffer } from 'file-type';
import iconv from 'iconv-lite';
import type { ExtractLimits, Source } from './block.ts';
import { encodingOf, sampleOf } from './encoding.ts';
import { ExtractError } from './extract-error.ts';
import { isProtectedOffice } from './old-office.ts';
import { textKindOf } from './text-kind.ts';
import { openZip } from './zip.ts';

export type Kind =
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'odt'
  | 'html'
  | 'markdown'
  | 'csv'
  | 'json'
  | 'eml'
  | 'text';

/** What a file is. `encoding` is that of a text, null for the others. */
export type Found = { kind: Kind; mimeType: string; encoding: string | null };

const openXml = 'application/vnd.openxmlformats-officedocument.';
export const mimeTypes: Record<Kind, string> = {
  pdf: 'application/pdf',
  docx: `${openXml}wordprocessingml.document`,
  pptx: `${openXml}presentationml.presentation`,
  xlsx: `${openXml}spreadsheetml.sheet`,
  odt: 'application/vnd.oasis.opendocument.text',
  html: 'text/html',
  markdown: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  eml: 'message/rfc822',
  text: 'text/plain',
};

/**
 * Tells a file's kind from its content; a name is never looked at. A file that could be several is
 * the first of:
 * 1. what its first bytes say: PDF, packed file, old Office file, any other binary kind (the last
 *    two are refused);
 * 2. for a packed file, the part that makes it Word, PowerPoint, Excel or OpenDocument text, in
 *    that order;
 * 3. for a text: HTML, JSON, e-mail, CSV, Markdown, plain text (text-kind.ts).
 * So a PDF with a packed file behind it is a PDF, and HTML that happens to be JSON inside is HTML.
 */
export async function sniff(source: Source, limits: ExtractLimits): Promise<Found> {
  if (source.bytes === 0) throw new ExtractError('EMPTY');
  const sample = await sampleOf(source.path);
  const { head } = sample;
  // Readers of PDF look for the mark within the first 1,024 bytes; white space and a byte order
  // mark before it are met in practice.
  if (/^(?:\xef\xbb\xbf)?\s*%PDF-/.test(head.toString('latin1', 0, 1024))) return found('pdf');
  if (head.subarray(0, 4).equals(packedMark)) return found(await packedKindOf(source, limits));
  if (head.subarray(0, 8).equals(oldOfficeMark))
    throw new ExtractError(
      (await isProtectedOffice(source.path, head)) ? 'ENCRYPTED' : 'UNSUPPORTED',
    );
  const encoding = encodingOf(sample);
  // Marks of binary kinds are believed before the text is: some (PostScript, RTF) are made of
  // letters.
  const binary = await fileTypeFromBuffer(head.subarray(0, 4_100)).catch(() => undefined);
  if (encoding === null || (binary && !textTypes.has(binary.mime)))
    throw new ExtractError('UNSUPPORTED');
  const kind = textKindOf(textOfSample(head, encoding), head.length < source.bytes);
  return found(kind, kind === 'html' ? (declaredEncoding(head, encoding) ?? encoding) : encoding);
}

/** What a page of 8-bit characters says of itself is known better than guessed. */
function declaredEncoding(head: Buffer, guessed: string): string | undefined {
  if (guessed.startsWith('utf-')) return undefined;
  const declared = /<meta[^>]{1,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(
    head.toString('latin1', 0, 4_096),
  )?.[1];
  return declared && iconv.encodingExists(declared) ? declared : undefined;
}

const found = (kind: Kind, encoding: string | null = null): Found => ({
  kind,
  mimeType: mimeTypes[kind],
  encoding,
});

const packedMark = Buffer.from('PK\x03\x04', 'latin1');
const oldOfficeMark = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** What file-type calls these is text to us. */
const textTypes = new Set([
  'application/xml',
  'text/calendar',
  'text/vcard',
  'text/vtt',
  'application/x-subrip',
  'image/svg+xml',
  'text/html',
  'application/rss+xml',
]);

const packedKinds: [string, Kind][] = [
  ['word/document.xml', 'docx'],
  ['ppt/presentation.xml', 'pptx'],
  ['xl/workbook.xml', 'xlsx'],
];

async function packedKindOf(source: Source, limits: ExtractLimits): Promise<Kind> {
  const zip = await openZip(source, limits);
  try {
    const known = packedKinds.find(([part]) => zip.has(part));
    if (known) return known[1];
    const declared = zip.has('mimetype')
      ? (await zip.head('mimetype', 100)).toString('latin1').trim()
      : '';
    if (declared === mimeTypes.odt) return 'odt';
    if (!zip.has('[Content_Types].xml')) throw new ExtractError('UNSUPPORTED');
    const types = (await zip.head('[Content_Types].xml', 1024 * 1024)).toString('utf8');
    const kind = (['docx', 'pptx', 'xlsx'] as const).find((candidate) =>
      types.includes(`${mimeTypes[candidate]}.main+xml`),
    );
    if (!kind) throw new ExtractError('UNSUPPORTED');
    return kind;
  } finally {
    zip.close();
  }
}

function textOfSample(head: Buffer, encoding: string): string {
  const text = iconv.encodingExists(encoding)
    ? iconv.decode(head, encoding)
    : new TextDecoder(encoding).decode(head);
  return text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
}
