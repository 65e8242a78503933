import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import type { EmbeddedPassage } from '../passage.ts';
import { decodeVector, formatIssues } from './vector.ts';

const lineBytesMax = 262_144;
const passagesMax = 2_000_000;
const batchPassages = 1_000;
const newline = 0x0a;

const storableText = z.string().refine((text) => !text.includes('\0'), 'must not hold NUL');
const offset = z.int().min(0);
const passageLine = z
  .object({
    ordinal: z.int().min(0).max(passagesMax),
    text: storableText,
    page: z.int().min(0).max(2_147_483_647).nullable(),
    headings: z.array(storableText).max(100),
    start: offset,
    end: offset,
    vector: z.string(),
  })
  .refine(({ start, end }) => start <= end, 'start must not be after end');
const lastLine = z.object({
  end: z.literal(true),
  passages: z.int().min(0),
  facts: z.record(z.string(), z.unknown()).default({}),
});

export type LastFacts = Record<string, unknown>;

/**
 * Yields the passages of a request body in batches and returns the facts of its last line. A body
 * without this last line is rejected as incomplete.
 */
export async function* readBody(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<EmbeddedPassage[], LastFacts> {
  let batch: EmbeddedPassage[] = [];
  let count = 0;
  let facts: LastFacts | undefined;
  let dimensions: number | undefined;
  for await (const line of linesOf(body)) {
    if (facts) throw new AppError('BAD_INPUT', 'The body goes on after its last line');
    const value = parseJson(line, count);
    if (typeof value === 'object' && value !== null && 'end' in value && !('ordinal' in value)) {
      const last = lastLine.safeParse(value);
      if (!last.success)
        throw new AppError('BAD_INPUT', `The last line: ${formatIssues(last.error)}`);
      if (last.data.passages !== count)
        throw new AppError(
          'BAD_INPUT',
          `The last line tells of ${last.data.passages} passages, but ${count} came`,
        );
      facts = last.data.facts;
      continue;
    }
    const { data, error } = passageLine.safeParse(value);
    if (!data) throw new AppError('BAD_INPUT', `Line ${count + 1}: ${formatIssues(error)}`);
    if (data.ordinal !== count)
      throw new AppError('BAD_INPUT', `Line ${count + 1}: ordinal must be ${count}`);
    const vector = decodeVector(data.vector, `Line ${count + 1}: vector`);
    dimensions ??= vector.length;
    if (vector.length !== dimensions)
      throw new AppError(
        'BAD_INPUT',
        `Line ${count + 1}: vector must have ${dimensions} numbers, like those before`,
      );
    if (++count > passagesMax)
      throw new AppError('BAD_INPUT', `A document has at most ${passagesMax} passages`);
    batch.push({ ...data, vector });
    if (batch.length < batchPassages) continue;
    yield batch;
    batch = [];
  }
  if (!facts)
    throw new AppError(
      'BAD_INPUT',
      'The body ended without its last line, {"end":true,"passages":…}',
    );
  if (batch.length > 0) yield batch;
  return facts;
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    let from = 0;
    for (let at = chunk.indexOf(newline); ; at = chunk.indexOf(newline, from)) {
      const piece = chunk.subarray(from, at < 0 ? undefined : at);
      length += piece.length;
      if (length > lineBytesMax)
        throw new AppError('BAD_INPUT', `A line of the body is longer than ${lineBytesMax} bytes`);
      pieces.push(piece);
      if (at < 0) break;
      if (length > 0) yield Buffer.concat(pieces, length);
      pieces = [];
      length = 0;
      from = at + 1;
    }
  }
  if (length > 0) yield Buffer.concat(pieces, length);
}

function parseJson(line: Buffer, count: number): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    throw new AppError('BAD_INPUT', `Line ${count + 1} is not valid JSON`);
  }
}
