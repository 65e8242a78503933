import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Address, type Email } from 'postal-mime';
import type { Block, ExtractLimits, Source } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { readHtml } from './html.ts';
import { partsPathOf } from './parts-path.ts';
import { readText } from './text.ts';
import { soundText } from './text-stream.ts';

/** Of more attachments than these only the names are told. */
const attachmentsReadMax = 100;

/** Reads a file that stands inside another one. */
type ReadPart = (source: Source) => AsyncGenerator<Block>;

/**
 * An e-mail: its subject, who wrote it to whom and when, what they wrote, and the text of each
 * attachment that can be read.
 */
export async function* readEml(
  source: Source,
  limits: ExtractLimits,
  readPart: ReadPart | null,
): AsyncGenerator<Block> {
  const mail = await parse(source);
  if (mail.attachments.length > limits.partsMax) throw new ExtractError('TOO_COMPLEX');
  const subject = soundText(mail.subject ?? '').trim();
  if (subject !== '') yield { kind: 'heading', text: subject, level: 1 };
  const lines = [
    `From: ${named(mail.from)}`,
    `To: ${(mail.to ?? []).map(named).join(', ')}`,
    `Date: ${mail.date ?? ''}`,
  ].filter((line) => !/: $/.test(line));
  if (lines.length > 0) yield { kind: 'paragraph', text: soundText(lines.join('\n')) };
  if (mail.text?.trim()) yield* readText(once(mail.text));
  else if (mail.html) yield* readHtml(once(mail.html));
  for (const [index, { filename, content }] of mail.attachments.entries()) {
    yield {
      kind: 'heading',
      text: `Attachment: ${soundText(filename ?? 'without a name')}`,
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

/** An attachment that cannot be read does not keep the message from being read. */
async function* attachment(
  path: string,
  content: Buffer,
  readPart: ReadPart,
): AsyncGenerator<Block> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, content);
  try {
    // Its pages are no pages of the message, and its headings stand below its name.
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

async function parse({ path }: Source): Promise<Email> {
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

function named(address: Address | undefined): string {
  if (!address) return '';
  const { name, address: mailbox } = address;
  return name && mailbox ? `${name} <${mailbox}>` : name || mailbox || '';
}

async function* once(text: string): AsyncGenerator<string> {
  yield soundText(text);
}
