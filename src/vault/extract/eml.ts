import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Address, type Email } from 'postal-mime';
import { addNotice, type ExtractContext, type SourceFile, type TextBlock } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { readHtml } from './html.ts';
import { partsPathOf } from './parts-path.ts';
import { readText } from './text.ts';
import { cleanText } from './text-stream.ts';

/** The number of attachments that are read. Of further attachments only the names are kept. */
const attachmentsReadMax = 100;

/** Reads a file that is contained in another file. */
type ReadPart = (source: SourceFile) => AsyncGenerator<TextBlock>;

/**
 * Reads an e-mail: its subject, sender, recipients, date and body, and the text of each readable
 * attachment.
 */
export async function* readEml(
  source: SourceFile,
  { partsMax, notices }: ExtractContext,
  readPart: ReadPart | null,
): AsyncGenerator<TextBlock> {
  const mail = await parseMail(source);
  if (mail.attachments.length > partsMax) throw new ExtractError('TOO_COMPLEX');
  const subject = cleanText(mail.subject ?? '').trim();
  if (subject !== '') yield { kind: 'heading', text: subject, level: 1 };
  const lines = [
    `From: ${formatAddress(mail.from)}`,
    `To: ${(mail.to ?? []).map(formatAddress).join(', ')}`,
    `Cc: ${(mail.cc ?? []).map(formatAddress).join(', ')}`,
    `Date: ${dateOf(mail)}`,
  ].filter((line) => !/: $/.test(line));
  if (lines.length > 0) yield { kind: 'paragraph', text: cleanText(lines.join('\n')) };
  if (mail.text?.trim()) yield* readText(piecesOf(mail.text));
  else if (mail.html) yield* readHtml(piecesOf(mail.html));
  for (const [index, { filename, content }] of mail.attachments.entries()) {
    yield {
      kind: 'heading',
      text: `Attachment: ${cleanText(filename ?? 'without a name')}`,
      level: 2,
    };
    const isRead =
      readPart !== null &&
      index < attachmentsReadMax &&
      (yield* attachment(
        join(partsPathOf(source), String(index)),
        Buffer.from(bytesOf(content)),
        readPart,
      ));
    if (!isRead) addNotice(notices, 'ATTACHMENTS_NOT_READ');
  }
}

/**
 * Reads one attachment. Returns false for one that cannot be read; the message stays readable.
 */
async function* attachment(
  path: string,
  content: Buffer,
  readPart: ReadPart,
): AsyncGenerator<TextBlock, boolean> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, content);
  try {
    // Page numbers of an attachment are dropped, and its headings are placed below its name.
    for await (const { page: _, ...block } of readPart({ path, bytes: content.length }))
      yield block.kind === 'heading'
        ? { ...block, level: Math.min(6, (block.level ?? 1) + 2) }
        : block;
    return true;
  } catch (fault) {
    if (!(fault instanceof ExtractError)) throw fault;
    return false;
  } finally {
    await rm(path, { force: true });
  }
}

async function parseMail({ path }: SourceFile): Promise<Email> {
  const bytes = await readFile(path);
  return PostalMime.parse(bytes, {
    attachmentEncoding: 'arraybuffer',
    maxRfc822NestingDepth: 2,
    maxNestingDepth: 32,
  }).catch((fault: unknown) => {
    if (fault instanceof RangeError) throw fault;
    throw new ExtractError(
      fault instanceof Error && /nesting|header/i.test(fault.message) ? 'TOO_COMPLEX' : 'DAMAGED',
    );
  });
}

const bytesOf = (content: string | ArrayBuffer | Uint8Array): Uint8Array =>
  typeof content === 'string'
    ? Buffer.from(content)
    : content instanceof ArrayBuffer
      ? new Uint8Array(content)
      : content;

/** The time that the sender's clock showed, with its offset from UTC: 2025-03-03T10:15:00+01:00. */
function dateOf({ date, headers }: Email): string {
  const written = headers.find(({ key }) => key === 'date')?.value ?? '';
  const [, sign, hours, minutes] = /([+-])(\d\d)(\d\d)\b/.exec(written) ?? [];
  const time = Date.parse(date ?? '');
  if (sign === undefined || Number.isNaN(time)) return date ?? '';
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  if (offsetMinutes === 0) return date ?? '';
  const local = new Date(time + offsetMinutes * 60_000).toISOString().slice(0, 19);
  return `${local}${sign}${hours}:${minutes}`;
}

function formatAddress(address: Address | undefined): string {
  if (!address) return '';
  const { name, address: mailbox } = address;
  return name && mailbox ? `${name} <${mailbox}>` : name || mailbox || '';
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  yield cleanText(text);
}
