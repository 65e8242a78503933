import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Address, type Email } from 'postal-mime';
import type { ExtractLimits, SourceFile, TextBlock } from './block.ts';
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
  limits: ExtractLimits,
  readPart: ReadPart | null,
): AsyncGenerator<TextBlock> {
  const mail = await parseMail(source);
  if (mail.attachments.length > limits.partsMax) throw new ExtractError('TOO_COMPLEX');
  const subject = cleanText(mail.subject ?? '').trim();
  if (subject !== '') yield { kind: 'heading', text: subject, level: 1 };
  const lines = [
    `From: ${formatAddress(mail.from)}`,
    `To: ${(mail.to ?? []).map(formatAddress).join(', ')}`,
    `Date: ${mail.date ?? ''}`,
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
    if (readPart && index < attachmentsReadMax)
      yield* attachment(
        join(partsPathOf(source), String(index)),
        Buffer.from(bytesOf(content)),
        readPart,
      );
  }
}

/**
 * Reads one attachment. An attachment that cannot be read is skipped; the message stays readable.
 */
async function* attachment(
  path: string,
  content: Buffer,
  readPart: ReadPart,
): AsyncGenerator<TextBlock> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, content);
  try {
    // Page numbers of an attachment are dropped, and its headings are placed below its name.
    for await (const { page: _, ...block } of readPart({ path, bytes: content.length }))
      yield block.kind === 'heading'
        ? { ...block, level: Math.min(6, (block.level ?? 1) + 2) }
        : block;
  } catch (fault) {
    if (!(fault instanceof ExtractError)) throw fault;
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

function formatAddress(address: Address | undefined): string {
  if (!address) return '';
  const { name, address: mailbox } = address;
  return name && mailbox ? `${name} <${mailbox}>` : name || mailbox || '';
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  yield cleanText(text);
}
