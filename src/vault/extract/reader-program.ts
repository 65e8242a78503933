import { readSync, writeSync } from 'node:fs';
import { chunk } from '../chunk.ts';
import { type Block, jointOf } from './block.ts';
import { ExtractError, type ExtractFault } from './extract-error.ts';
import { bodyBytesOf, frameOf } from './frames.ts';
import { read } from './kinds.ts';
import { sniff } from './sniff.ts';
import { passagesMaxOf, textUnitsMaxOf } from './text-limit.ts';
import {
  encodeVector,
  type ReaderMessage,
  type ReaderTask,
  type ReadPassage,
} from './worker-messages.ts';

// Reads a document in a process of its own. Only sandbox.ts starts it, often before there is a
// document, and ends it: after the document, or after the last one of a batch.

const batchPassages = 128;
const input = 0;
const output = 3;

async function work({ source, limits, task }: ReaderTask): Promise<void> {
  const say = createSay();
  try {
    const found = await sniff(source, limits);
    say({
      type: 'opened',
      mimeType: found.mimeType,
      derivation: found.kind === 'markdown' ? 'markdown' : 'text',
    });
    const textUnitsMax = textUnitsMaxOf(source.bytes, limits);
    const counted = new CountedBlocks(
      read(found, source, { ...limits, textUnitsMax }),
      textUnitsMax,
    );
    let passages = 0;
    if (task.type === 'text') say({ type: 'text', ...(await firstUnits(counted, task.unitsMax)) });
    else
      passages = await sendPassages(counted, task.embed, passagesMaxOf(source.bytes, limits), say);
    if (!counted.hasText) throw new ExtractError('EMPTY');
    say({ type: 'end', pages: counted.pages, characters: counted.units, passages });
  } catch (fault) {
    say(messageOf(fault));
  }
}

type Sent =
  | ReaderMessage
  | { type: 'batch'; passages: (Omit<ReadPassage, 'vector'> & { vector?: string })[] };
type Say = (message: Sent) => void;

/**
 * The first message is free; each byte from the parent allows one more, so that the next batch is
 * made while the last is being used.
 */
function createSay(): Say {
  let isFirst = true;
  return (message) => {
    if (!isFirst) readBytes(1);
    isFirst = false;
    const frame = frameOf(message);
    for (let at = 0; at < frame.length; ) at += writeSync(output, frame, at);
  };
}

/** Waits for this many bytes. Without a parent there is nobody to read for. */
function readBytes(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at < count; ) {
    const got = readSync(input, bytes, at, count - at, null);
    if (got === 0) process.exit(0);
    at += got;
  }
  return bytes;
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
      if (this.units > this.#unitsMax) throw new ExtractError('TOO_LARGE_TEXT');
      this.hasText ||= /\S/.test(block.text);
      if (block.page !== undefined) this.pages = Math.max(this.pages ?? 0, block.page);
      yield block;
    }
  }
}

async function sendPassages(
  blocks: AsyncIterable<Block>,
  embed: 'hashing' | null,
  passagesMax: number,
  say: Say,
): Promise<number> {
  const vectorOf = embed && (await import('../embed/hashing.ts')).embedByHashing;
  let count = 0;
  let batch: (Omit<ReadPassage, 'vector'> & { vector?: string })[] = [];
  const send = () => {
    if (batch.length > 0) say({ type: 'batch', passages: batch });
    batch = [];
  };
  for await (const passage of chunk(blocks)) {
    count++;
    if (count > passagesMax) throw new ExtractError('TOO_MANY_PASSAGES');
    batch.push(vectorOf ? { ...passage, vector: encodeVector(vectorOf(passage.text)) } : passage);
    if (batch.length === batchPassages) send();
  }
  send();
  return count;
}

async function firstUnits(blocks: AsyncIterable<Block>, unitsMax: number) {
  let text = '';
  const pageStarts: { page: number; start: number }[] = [];
  for await (const block of blocks) {
    if (text !== '') text += jointOf(block);
    if (block.page !== undefined && block.page !== pageStarts.at(-1)?.page)
      pageStarts.push({ page: block.page, start: text.length });
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

function messageOf(fault: unknown): ReaderMessage {
  if (fault instanceof ExtractError) return { type: 'refused', code: fault.code };
  if (!(fault instanceof Error)) return { type: 'unexpected', name: typeof fault };
  if ('syscall' in fault && 'code' in fault) return { type: 'system', code: String(fault.code) };
  const code = fault instanceof RangeError ? exhaustionOf(fault.message) : undefined;
  return code ? { type: 'refused', code } : { type: 'unexpected', name: fault.name };
}

/** V8 says by RangeError that a string, an array or the stack would become too large. */
function exhaustionOf(message: string): ExtractFault | undefined {
  if (message.includes('call stack')) return 'TOO_COMPLEX';
  return /Invalid (?:string|array|typed array|array buffer) length|allocation failed/i.test(message)
    ? 'OUT_OF_MEMORY'
    : undefined;
}

for (;;) {
  const task: ReaderTask = JSON.parse(readBytes(bodyBytesOf(readBytes(4))).toString());
  await work(task);
  // The parent allows one message more after each that it takes, also after the last.
  readBytes(1);
}
