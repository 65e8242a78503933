import { z } from 'zod';
import { blockUnitsMax } from './block.ts';
import { type ExtractFault, extractFaults } from './extract-error.ts';
import { noticeCodes } from './notices.ts';
import type { ReaderMessage, ReadPassage } from './worker-messages.ts';

const count = z.int().min(0);
const pages = count.nullable();

const vector = z
  .string()
  .max(100_000)
  .transform((text) => {
    const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
    return new Float32Array(
      bytes.buffer,
      0,
      Math.floor(bytes.length / Float32Array.BYTES_PER_ELEMENT),
    );
  });

const passage = z
  .object({
    ordinal: count,
    text: z.string().max(blockUnitsMax),
    page: pages,
    headings: z.array(z.string().max(200)).max(6),
    start: count,
    end: count,
    vector: vector.optional(),
  })
  .transform(({ vector: own, ...bare }): ReadPassage => (own ? { ...bare, vector: own } : bare));

/** Validates messages, because a parser that was compromised by a document could send anything. */
export const readerMessage: z.ZodType<ReaderMessage> = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('opened'),
    mimeType: z.string().max(200),
    derivation: z.enum(['text', 'markdown']),
  }),
  z.object({ type: z.literal('batch'), passages: z.array(passage).max(1_000) }),
  z.object({
    type: z.literal('text'),
    text: z.string(),
    pages,
    pageStarts: z.array(z.object({ page: count, start: count })),
    truncated: z.boolean(),
  }),
  z.object({
    type: z.literal('end'),
    pages,
    characters: count,
    passages: count,
    notices: z.array(z.object({ code: z.enum(noticeCodes), count })).max(100),
  }),
  z.object({
    type: z.literal('refused'),
    code: z.custom<ExtractFault>(
      (value) => typeof value === 'string' && Object.hasOwn(extractFaults, value),
    ),
  }),
  z.object({ type: z.literal('unexpected'), name: z.string().max(100) }),
  z.object({ type: z.literal('system'), code: z.string().max(100) }),
]);
