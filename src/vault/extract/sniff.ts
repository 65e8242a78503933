import { fileTypeFromBuffer } from 'file-type';
import iconv from 'iconv-lite';
import type { ExtractLimits, SourceFile } from './block.ts';
import { encodingOf, readSample } from './encoding.ts';
import { isExcelXml } from './excel-xml.ts';
import { ExtractError } from './extract-error.ts';
import { flatKindOf } from './flat-document.ts';
import { isProtectedOffice } from './old-office.ts';
import { textKindOf } from './text-kind.ts';
import { openZip, packedMark } from './zip.ts';

export type FileKind =
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'odt'
  | 'odp'
  | 'ods'
  | 'epub'
  | 'excel-xml'
  | 'rtf'
  | 'html'
  | 'markdown'
  | 'csv'
  | 'json'
  | 'eml'
  | 'png'
  | 'jpeg'
  | 'webp'
  | 'tiff'
  | 'text';

/** The detected kind of a file. `encoding` is null for files that are not text. */
export type DetectedFile = { kind: FileKind; mimeType: string; encoding: string | null };

const openXml = 'application/vnd.openxmlformats-officedocument.';
export const mimeTypes: Record<FileKind, string> = {
  pdf: 'application/pdf',
  docx: `${openXml}wordprocessingml.document`,
  pptx: `${openXml}presentationml.presentation`,
  xlsx: `${openXml}spreadsheetml.sheet`,
  odt: 'application/vnd.oasis.opendocument.text',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  epub: 'application/epub+zip',
  'excel-xml': 'application/vnd.ms-excel',
  rtf: 'application/rtf',
  html: 'text/html',
  markdown: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  eml: 'message/rfc822',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  tiff: 'image/tiff',
  text: 'text/plain',
};

/**
 * Detects the kind of a file from its content; the name has no influence. If several kinds match, the
 * first of these counts:
 * 1. the first bytes: PDF, ZIP, RTF, image, old Office file, any other binary kind (the last two are
 *    rejected, and so are images if text in images is not recognized);
 * 2. for a ZIP file, the part that identifies it as Word, PowerPoint, Excel, OpenDocument or EPUB, in
 *    this order;
 * 3. for text: OpenDocument or Excel 2003 in one XML text, HTML, JSON, e-mail, CSV, Markdown, plain text (text-kind.ts).
 * So a PDF with an appended ZIP file is a PDF, and an HTML page that contains JSON is HTML.
 */
export async function sniff(source: SourceFile, limits: ExtractLimits): Promise<DetectedFile> {
  if (source.bytes === 0) throw new ExtractError('EMPTY');
  const sample = await readSample(source.path);
  const { head } = sample;
  // PDF readers look for the signature in the first 1,024 bytes. White space and a byte order mark
  // before it occur in practice.
  if (/^(?:\xef\xbb\xbf)?\s*%PDF-/.test(head.toString('latin1', 0, 1024))) return detected('pdf');
  if (head.subarray(0, 4).equals(packedMark)) return detected(await packedKindOf(source, limits));
  if (head.subarray(0, 8).equals(oldOfficeMark))
    throw new ExtractError(
      (await isProtectedOffice(source.path, head)) ? 'ENCRYPTED' : 'UNSUPPORTED',
    );
  if (head.toString('latin1', 0, 5) === '{\\rtf') return detected('rtf');
  const encoding = encodingOf(sample);
  // Binary signatures are checked before text, because some binary kinds (PostScript) consist
  // of letters.
  const binary = await fileTypeFromBuffer(head.subarray(0, 4_100)).catch(() => undefined);
  const imageKind = imageKindOf(head, binary?.mime);
  if (imageKind && limits.recognition) return detected(imageKind);
  if (encoding === null || (binary && !textTypes.has(binary.mime)))
    throw new ExtractError('UNSUPPORTED');
  const text = textOfSample(head, encoding);
  const flatKind = flatKindOf(text);
  if (flatKind) return detected(flatKind);
  if (isExcelXml(text)) return detected('excel-xml');
  const kind = textKindOf(text, head.length < source.bytes);
  return detected(
    kind,
    kind === 'html' ? (declaredEncoding(head, encoding) ?? encoding) : encoding,
  );
}

/** The encoding that an HTML page declares is more reliable than a detected 8-bit encoding. */
function declaredEncoding(head: Buffer, guessed: string): string | undefined {
  if (guessed.startsWith('utf-')) return undefined;
  const declared = /<meta[^>]{1,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(
    head.toString('latin1', 0, 4_096),
  )?.[1];
  return declared && iconv.encodingExists(declared) ? declared : undefined;
}

const detected = (kind: FileKind, encoding: string | null = null): DetectedFile => ({
  kind,
  mimeType: mimeTypes[kind],
  encoding,
});

const imageKinds = ['png', 'jpeg', 'webp', 'tiff'] as const;

/** A TIFF file can have its directory at the end, where its type cannot be detected. */
const imageKindOf = (head: Buffer, type: string | undefined): FileKind | undefined =>
  type === undefined && /^(?:II\*\0|MM\0\*)/.test(head.toString('latin1', 0, 4))
    ? 'tiff'
    : imageKinds.find((kind) => mimeTypes[kind] === type);

const oldOfficeMark = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** Types that file-type detects but that are read as text. */
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

const packedKinds: [string, FileKind][] = [
  ['word/document.xml', 'docx'],
  ['ppt/presentation.xml', 'pptx'],
  ['xl/workbook.xml', 'xlsx'],
];

/** Kinds of ZIP files whose first part is their type. */
const declaredKinds = ['odt', 'odp', 'ods', 'epub'] as const;

async function packedKindOf(source: SourceFile, limits: ExtractLimits): Promise<FileKind> {
  const zip = await openZip(source, limits);
  try {
    const officeKind = packedKinds.find(([part]) => zip.has(part));
    if (officeKind) return officeKind[1];
    const declared = zip.has('mimetype')
      ? (await zip.head('mimetype', 100)).toString('latin1').trim()
      : '';
    const declaredKind = declaredKinds.find((kind) => mimeTypes[kind] === declared);
    if (declaredKind) return declaredKind;
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
