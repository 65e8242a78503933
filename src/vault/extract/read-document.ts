import type { Log } from '../../platform/log.ts';
import type { SourceFile } from './block.ts';
import { ExtractError } from './extract-error.ts';
import { messagesFromReader } from './messages-from-reader.ts';
import type { Sandbox } from './sandbox.ts';
import type {
  DocumentText,
  DocumentTotals,
  ReaderTask,
  ReadLimits,
  ReadPassage,
} from './worker-messages.ts';

export const readLimits: ReadLimits = {
  unpackedBytesMax: 512 * 1024 * 1024,
  partsMax: 10_000,
  pagesMax: 20_000,
  textUnitsMax: 256 * 1024 * 1024,
  passagesMax: 200_000,
  busyMsMax: 300_000,
  heapMegabytesMax: 512,
  recognition: { pagesMax: 200, msMax: 1_200_000, pixelsMax: 40_000_000 },
};

type ReadDocumentInput = {
  sandbox: Sandbox;
  source: SourceFile;
  /** Documents of one batch may be read by the same process, one after another. */
  batch?: string | undefined;
  /** Whose document it is: readers are shared fairly between tenants. */
  tenant?: string | undefined;
  limits?: ReadLimits;
  signal?: AbortSignal;
  log?: Pick<Log, 'warn'>;
};

export type DocumentReading = {
  mimeType: string;
  derivation: 'text' | 'markdown';
  /**
   * The passages in order. The reader works one batch ahead and then waits. Leaving the loop stops
   * the reader; if the loop is never entered, use `signal` to stop it.
   */
  batches: AsyncIterable<ReadPassage[]>;
  finished: Promise<DocumentTotals>;
};

/**
 * Reads a document in a separate process with limits of time and memory. Resolves when the kind of
 * the document is known. A document that cannot be read throws an ExtractError here, from `batches`
 * and from `finished`.
 */
export async function readDocument({
  embed = null,
  ...input
}: ReadDocumentInput & { embed?: 'hashing' | null }): Promise<DocumentReading> {
  const { messages, opened } = await open(input, { type: 'passages', embed });
  const { promise: finished, resolve, reject } = Promise.withResolvers<DocumentTotals>();
  // Callers that only read the batches get the error from there.
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
            notices: message.notices,
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
 * Reads the first characters of a document as one text. Reading stops there, and the rest of the
 * document is not checked.
 */
export async function readDocumentText({
  unitsMax,
  ...input
}: ReadDocumentInput & { unitsMax: number }): Promise<DocumentText & { mimeType: string }> {
  const { messages, opened } = await open(input, { type: 'text', unitsMax });
  let result: DocumentText | undefined;
  for await (const message of messages) if (message.type === 'text') result = message;
  if (!result) throw new ExtractError('DAMAGED');
  const { text, pages, pageStarts, truncated } = result;
  return { mimeType: opened.mimeType, text, pages, pageStarts, truncated };
}

async function open(input: ReadDocumentInput, task: ReaderTask) {
  const messages = messagesFromReader({ limits: readLimits, ...input, task });
  const first = await messages.next();
  if (first.done || first.value.type !== 'opened') throw new ExtractError('DAMAGED');
  return { messages, opened: first.value };
}
