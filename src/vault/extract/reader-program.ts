import { readSync, writeSync } from 'node:fs';
import { chunk } from '../chunk.ts';
import { embedByHashing } from '../embed/hashing.ts';
import { textWithHeadings } from '../passage.ts';
import { encodeVector } from '../vector-db/encode-vector.ts';
import { type NoticeCounts, separatorOf, type TextBlock } from './block.ts';
import { ExtractError, type ExtractFault } from './extract-error.ts';
import { bodyBytesOf, frameOf } from './frames.ts';
import { readBlocks } from './kinds.ts';
import { createRecognizer } from './ocr/recognizer.ts';
import { sniff } from './sniff.ts';
import { passagesMaxOf, textUnitsMaxOf } from './text-limit.ts';
import type { ReaderMessage, ReaderRequest, ReadPassage } from './worker-messages.ts';

// Reads documents in a separate process. Only sandbox.ts starts it, as a bundle that build-reader.ts
// makes, often before there is a document, and ends it after the document or the last one of a batch.

const batchPassages = 128;
const input = 0;
const output = 3;

async function handleRequest({ source, limits, task }: ReaderRequest): Promise<void> {
  const send = createSender();
  const recognizer = limits.recognition && createRecognizer(limits.recognition);
  try {
    const file = await sniff(source, limits);
    send({
      type: 'opened',
      mimeType: file.mimeType,
      derivation: file.kind === 'markdown' ? 'markdown' : 'text',
    });
    const textUnitsMax = textUnitsMaxOf(source.bytes, limits);
    const notices: NoticeCounts = new Map();
    const blocks = new CountedBlocks(
      readBlocks(file, source, { ...limits, textUnitsMax, notices, recognizer }),
      textUnitsMax,
    );
    let passages = 0;
    if (task.type === 'text') send({ type: 'text', ...(await firstText(blocks, task.unitsMax)) });
    else
      passages = await sendPassages(blocks, task.embed, passagesMaxOf(source.bytes, limits), send);
    if (!blocks.hasText) throw new ExtractError('EMPTY');
    send({
      type: 'end',
      pages: blocks.pages,
      characters: blocks.units,
      passages,
      notices: [...notices].map(([code, count]) => ({ code, count })),
    });
  } catch (fault) {
    send(failureMessageOf(fault));
  } finally {
    recognizer?.end();
  }
}

type OutgoingMessage =
  | ReaderMessage
  | { type: 'batch'; passages: (Omit<ReadPassage, 'vector'> & { vector?: string })[] };
type SendMessage = (message: OutgoingMessage) => void;

/**
 * Returns a function that sends messages. The first message may be sent immediately; each byte from
 * the parent allows one more. So the reader prepares the next batch while the parent uses the last
 * one.
 */
function createSender(): SendMessage {
  let isFirst = true;
  return (message) => {
    if (!isFirst) readBytes(1);
    isFirst = false;
    const frame = frameOf(message);
    for (let at = 0; at < frame.length; ) at += writeSync(output, frame, at);
  };
}

/** Waits for this many bytes. Exits if the parent has closed the pipe. */
function readBytes(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at < count; ) {
    const bytesRead = readSync(input, bytes, at, count - at, null);
    if (bytesRead === 0) process.exit(0);
    at += bytesRead;
  }
  return bytes;
}

/** Passes blocks on, and counts their text and pages. */
class CountedBlocks {
  units = 0;
  pages: number | null = null;
  hasText = false;
  readonly #blocks: AsyncIterable<TextBlock>;
  readonly #unitsMax: number;

  constructor(blocks: AsyncIterable<TextBlock>, unitsMax: number) {
    this.#blocks = blocks;
    this.#unitsMax = unitsMax;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TextBlock> {
    for await (const block of this.#blocks) {
      this.units += (this.units > 0 ? separatorOf(block).length : 0) + block.text.length;
      if (this.units > this.#unitsMax) throw new ExtractError('TOO_LARGE_TEXT');
      this.hasText ||= /\S/.test(block.text);
      if (block.page !== undefined) this.pages = Math.max(this.pages ?? 0, block.page);
      yield block;
    }
  }
}

async function sendPassages(
  blocks: AsyncIterable<TextBlock>,
  embed: 'hashing' | null,
  passagesMax: number,
  send: SendMessage,
): Promise<number> {
  let count = 0;
  let batch: (Omit<ReadPassage, 'vector'> & { vector?: string })[] = [];
  const sendBatch = () => {
    if (batch.length > 0) send({ type: 'batch', passages: batch });
    batch = [];
  };
  for await (const passage of chunk(blocks)) {
    count++;
    if (count > passagesMax) throw new ExtractError('TOO_MANY_PASSAGES');
    batch.push(
      embed
        ? { ...passage, vector: encodeVector(embedByHashing(textWithHeadings(passage))) }
        : passage,
    );
    if (batch.length === batchPassages) sendBatch();
  }
  sendBatch();
  return count;
}

async function firstText(blocks: AsyncIterable<TextBlock>, unitsMax: number) {
  let text = '';
  const pageStarts: { page: number; start: number }[] = [];
  for await (const block of blocks) {
    if (text !== '') text += separatorOf(block);
    if (block.page !== undefined && block.page !== pageStarts.at(-1)?.page)
      pageStarts.push({ page: block.page, start: text.length });
    text += block.text;
    if (text.length > unitsMax) break;
  }
  const cut = text.slice(0, unitsMax);
  const isInsidePair = cut.length < text.length && !cut.isWellFormed();
  const wellFormed = isInsidePair ? cut.slice(0, -1) : cut;
  return {
    text: wellFormed,
    pages: pageStarts.at(-1)?.page ?? null,
    pageStarts: pageStarts.filter(({ start }) => start < wellFormed.length),
    truncated: text.length > unitsMax,
  };
}

function failureMessageOf(fault: unknown): ReaderMessage {
  if (fault instanceof ExtractError) return { type: 'refused', code: fault.code };
  if (!(fault instanceof Error)) return { type: 'unexpected', name: typeof fault };
  if ('syscall' in fault && 'code' in fault) return { type: 'system', code: String(fault.code) };
  const code = fault instanceof RangeError ? exhaustionFaultOf(fault.message) : undefined;
  return code ? { type: 'refused', code } : { type: 'unexpected', name: fault.name };
}

/** V8 reports by RangeError that a string, an array or the stack would become too large. */
function exhaustionFaultOf(message: string): ExtractFault | undefined {
  if (message.includes('call stack')) return 'TOO_COMPLEX';
  return /Invalid (?:string|array|typed array|array buffer) length|allocation failed/i.test(message)
    ? 'OUT_OF_MEMORY'
    : undefined;
}

// Most readers start before there is a document: the vectors of words are loaded in that time.
embedByHashing('word');

for (;;) {
  const task: ReaderRequest = JSON.parse(readBytes(bodyBytesOf(readBytes(4))).toString());
  await handleRequest(task);
  // The parent sends one byte for each message that it takes, including the last one of a document.
  readBytes(1);
}
