import type { Log } from '../../platform/log.ts';
import type { Source } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { messagesFromReader } from './messages-from-reader.ts';
import type { Sandbox } from './sandbox.ts';
import type {
  DocumentText,
  ReaderMessage,
  ReadLimits,
  ReadPassage,
  Task,
  Totals,
} from './worker-messages.ts';

export const readLimits: ReadLimits = {
  unpackedBytesMax: 512 * 1024 * 1024,
  partsMax: 10_000,
  pagesMax: 20_000,
  textUnitsMax: 256 * 1024 * 1024,
  passagesMax: 200_000,
  busyMsMax: 300_000,
  heapMegabytesMax: 512,
};

type Work = {
  sandbox: Sandbox;
  source: Source;
  /** Documents of one batch may be read by the same process, one after another. */
  batch?: string | undefined;
  limits?: ReadLimits;
  signal?: AbortSignal;
  log?: Pick<Log, 'warn'>;
};

export type Reading = {
  mimeType: string;
  derivation: 'text' | 'markdown';
  /**
   * In order. The reader is one batch ahead and then waits. Leaving the loop ends it; never
   * entering it needs `signal`.
   */
  batches: AsyncIterable<ReadPassage[]>;
  finished: Promise<Totals>;
};

/**
 * Reads a document in a process of its own with limits of time and memory; resolves when its kind
 * is known. What cannot be read is an ExtractError, here, from `batches` and from `finished`.
 */
export async function readDocument({
  embed = null,
  ...work
}: Work & { embed?: 'hashing' | null }): Promise<Reading> {
  const { messages, opened } = await open(work, { type: 'passages', embed });
  const { promise: finished, resolve, reject } = Promise.withResolvers<Totals>();
  // Who only reads the batches learns of a fault there.
  finished.catch(() => {});
  async function* batches(): AsyncGenerator<ReadPassage[]> {
    try {
      for await (const message of messages) {
        if (message.type === 'batch') yield message.passages;
        if (message.type === 'end')
          resolve({
            pages: message.pages,
            characters: message.characters,
            passages: message.passages,
          });
      }
    } catch (fault) {
      reject(fault);
      throw fault;
    } finally {
      reject(new DOMException('Nobody read the document to its end', 'AbortError'));
      await messages.return(undefined);
    }
  }
  return { mimeType: opened.mimeType, derivation: opened.derivation, batches: batches(), finished };
}

/**
 * The first characters of a document, as one text. Reading ends where the text does: what comes
 * behind is not looked at.
 */
export async function readDocumentText({
  unitsMax,
  ...work
}: Work & { unitsMax: number }): Promise<DocumentText & { mimeType: string }> {
  const { messages, opened } = await open(work, { type: 'text', unitsMax });
  let result: DocumentText | undefined;
  for await (const message of messages) if (message.type === 'text') result = message;
  if (!result) throw new ExtractError('DAMAGED');
  const { text, pages, pageStarts, truncated } = result;
  return { mimeType: opened.mimeType, text, pages, pageStarts, truncated };
}

async function open(
  { sandbox, source, batch, limits = readLimits, signal, log }: Work,
  task: Task,
) {
  const messages: AsyncGenerator<ReaderMessage> = messagesFromReader({
    sandbox,
    source,
    batch,
    limits,
    task,
    signal,
    log,
  });
  const first = await messages.next();
  if (first.done || first.value.type !== 'opened') throw new ExtractError('DAMAGED');
  return { messages, opened: first.value };
}
