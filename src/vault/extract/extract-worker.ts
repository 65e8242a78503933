import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { chunk } from '../chunk.ts';
import { type Block, jointOf } from './block.ts';
import { ExtractError, type ExtractFault } from './extract-error.ts';
import { read } from './kinds.ts';
import { sniff } from './sniff.ts';
import type { ReadPassage, WorkerData, WorkerMessage } from './worker-messages.ts';

// Reads one document in a thread of its own, and ends with it. Only read-document.ts starts it.

const batchPassages = 128;

async function work(port: MessagePort, { source, limits, task }: WorkerData): Promise<void> {
  const credit = creditFrom(port);
  const say = async (message: WorkerMessage, vectors: ArrayBuffer[] = []) => {
    await credit();
    port.postMessage(message, vectors);
  };
  try {
    const found = await sniff(source, limits);
    await say({ type: 'opened', mimeType: found.mimeType, derivation: found.kind === 'markdown' ? 'markdown' : 'text' });
    const counted = new CountedBlocks(read(found, source, limits), limits.unpackedBytesMax);
    let passages = 0;
    if (task.type === 'text') await say({ type: 'text', ...(await firstUnits(counted, task.unitsMax)) });
    else passages = await sendPassages(counted, task.embed, say);
    if (!counted.hasText) throw new ExtractError('EMPTY');
    await say({ type: 'end', pages: counted.pages, characters: counted.units, passages });
  } catch (fault) {
    port.postMessage(messageOf(fault));
  }
  port.close();
}

/** Each message of the reader allows one of ours; the first is free, so that the next batch is made while the last is being used. */
function creditFrom(port: MessagePort): () => Promise<void> {
  let credits = 1;
  let wake = () => {};
  port.on('message', () => {
    credits++;
    wake();
  });
  return async () => {
    while (credits === 0) await new Promise<void>((resolve) => (wake = resolve));
    credits--;
  };
}

/** Blocks on their way, and what has gone by. */
class CountedBlocks {
  units = 0;
  pages: number | null = null;
  hasText = false;
  readonly #blocks: AsyncIterable<Block>;
  readonly #unitsMax: number;

  constructor(blocks: AsyncIterable<Block>, unitsMax: number) {
    this.#blocks = blocks;
    this.#unitsMax = unitsMax;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Block> {
    for await (const block of this.#blocks) {
      this.units += (this.units > 0 ? jointOf(block).length : 0) + block.text.length;
      // A short file can say much: the head of a column is said in every row.
      if (this.units > this.#unitsMax) throw new ExtractError('TOO_COMPLEX');
      this.hasText ||= /\S/.test(block.text);
      if (block.page !== undefined) this.pages = Math.max(this.pages ?? 0, block.page);
      yield block;
    }
  }
}

type Say = (message: WorkerMessage, vectors?: ArrayBuffer[]) => Promise<void>;

async function sendPassages(blocks: AsyncIterable<Block>, embed: 'hashing' | null, say: Say): Promise<number> {
  const vectorOf = embed && (await import('../embed/hashing.ts')).embedByHashing;
  let count = 0;
  let batch: ReadPassage[] = [];
  let vectors: ArrayBuffer[] = [];
  const send = async () => {
    if (batch.length > 0) await say({ type: 'batch', passages: batch }, vectors);
    batch = [];
    vectors = [];
  };
  for await (const passage of chunk(blocks)) {
    count++;
    const vector = vectorOf?.(passage.text);
    batch.push(vector ? { ...passage, vector } : passage);
    if (vector?.buffer instanceof ArrayBuffer) vectors.push(vector.buffer);
    if (batch.length === batchPassages) await send();
  }
  await send();
  return count;
}

async function firstUnits(blocks: AsyncIterable<Block>, unitsMax: number) {
  let text = '';
  const pageStarts: { page: number; start: number }[] = [];
  for await (const block of blocks) {
    if (text !== '') text += jointOf(block);
    if (block.page !== undefined && block.page !== pageStarts.at(-1)?.page) pageStarts.push({ page: block.page, start: text.length });
    text += block.text;
    if (text.length > unitsMax) break;
  }
  const whole = text.slice(0, unitsMax);
  const isParted = whole.length < text.length && !whole.isWellFormed();
  const shown = isParted ? whole.slice(0, -1) : whole;
  return {
    text: shown,
    pages: pageStarts.at(-1)?.page ?? null,
    pageStarts: pageStarts.filter(({ start }) => start < shown.length),
    truncated: text.length > unitsMax,
  };
}

function messageOf(fault: unknown): WorkerMessage {
  if (fault instanceof ExtractError) return { type: 'refused', code: fault.code };
  if (!(fault instanceof Error)) return { type: 'unexpected', name: typeof fault };
  if ('syscall' in fault && 'code' in fault) return { type: 'system', code: String(fault.code) };
  const code = fault instanceof RangeError ? exhaustionOf(fault.message) : undefined;
  return code ? { type: 'refused', code } : { type: 'unexpected', name: fault.name };
}

/** V8 says by RangeError that a string, an array or the stack would become too large. */
function exhaustionOf(message: string): ExtractFault | undefined {
  if (message.includes('call stack')) return 'TOO_COMPLEX';
  return /Invalid (?:string|array|typed array|array buffer) length|allocation failed/i.test(message) ? 'OUT_OF_MEMORY' : undefined;
}

if (parentPort) await work(parentPort, workerData);
