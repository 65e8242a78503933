import { EventEmitter } from 'node:events';
import { parse } from 'pg-protocol';
import { describe, expect, it } from 'vitest';
import { RowDecoder } from '../../../../src/platform/database/driver/decode-rows.ts';
import { mulberry32 } from '../../../support/mulberry32.ts';

const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);

type Value = string | null;

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

function rowMessage(values: readonly Value[]): Buffer {
  const parts = values.map((value) => {
    const bytes = Buffer.from(value ?? '');
    const length = Buffer.alloc(4);
    length.writeInt32BE(value === null ? -1 : bytes.length);
    return Buffer.concat([length, bytes]);
  });
  const count = Buffer.alloc(2);
  count.writeUInt16BE(values.length);
  return message('D', Buffer.concat([count, ...parts]));
}

const completed = message('C', Buffer.from('SELECT 1\0'));
const ready = message('Z', Buffer.from('I'));

/** Sends these chunks, and returns what the listeners of the connection get, in its order. */
function received(chunks: readonly Buffer[]): unknown[] {
  const messages: unknown[] = [];
  const others = new EventEmitter();
  // The parser of pg describes the messages that are not decoded, and rows that are not.
  parse(others as never, (one) => messages.push({ ...one }));
  const decoder = new RowDecoder({
    onRow: (row) => messages.push(row),
    onOther: (bytes) => others.emit('data', bytes),
  });
  for (const chunk of chunks) decoder.decode(chunk);
  return messages;
}

/** What the parser of pg alone makes of the same bytes. */
function expected(bytes: Buffer): unknown[] {
  const messages: unknown[] = [];
  const stream = new EventEmitter();
  parse(stream as never, (one) => messages.push({ ...one }));
  stream.emit('data', bytes);
  return messages;
}

function chunksOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
  // Copies, as from a socket: the parser of pg writes into the chunks that it gets.
  return ends.map((end, index) =>
    Buffer.from(bytes.subarray(index === 0 ? 0 : ends[index - 1], end)),
  );
}

const conversation = Buffer.concat([
  rowMessage(['one', null, '', 'Größe 3 €', '😀']),
  completed,
  rowMessage([]),
  rowMessage(['x'.repeat(127), 'x'.repeat(128), 'x'.repeat(255)]),
  rowMessage(['long '.repeat(2_000), 'after']),
  completed,
  ready,
]);

describe('RowDecoder', () => {
  it('gives the same messages as the parser of pg, wherever the bytes are split', () => {
    const all = expected(conversation);
    expect(all).toHaveLength(7);
    expect(received(chunksOf(conversation, []))).toEqual(all);
    for (let cut = 1; cut < conversation.length; cut += 1)
      expect(received(chunksOf(conversation, [cut])), `split at ${cut}`).toEqual(all);
  });

  it('gives the same messages for each byte alone', () => {
    const cuts = Array.from({ length: conversation.length - 1 }, (_, index) => index + 1);
    expect(received(chunksOf(conversation, cuts))).toEqual(expected(conversation));
  });

  it(`gives the same messages for random rows in random chunks (seed ${seed})`, () => {
    const alphabet = ['a', 'Z', '0', ' ', '\\', '"', 'ä', 'ß', '漢', '😀', '\u0000', '\ufeff'];
    const random = mulberry32(seed);
    const below = (max: number) => Math.floor(random() * max);
    const value = (): Value =>
      below(5) === 0
        ? null
        : Array.from(
            { length: below(below(20) === 0 ? 5_000 : 40) },
            () => alphabet[below(below(2) === 0 ? 5 : alphabet.length)],
          ).join('');
    for (let round = 0; round < 300; round += 1) {
      const bytes = Buffer.concat(
        Array.from({ length: below(30) }, () =>
          below(4) === 0 ? completed : rowMessage(Array.from({ length: below(12) }, value)),
        ).concat(ready),
      );
      const cuts = Array.from({ length: below(10) }, () => below(bytes.length));
      expect(received(chunksOf(bytes, cuts)), `round ${round}`).toEqual(expected(bytes));
    }
  });
});
