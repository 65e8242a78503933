import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import type { PassageQuery } from './passage-store.ts';
import { decodeVector, formatIssues } from './vector.ts';

const textUnitsMax = 4_000;
const input = z.object({
  text: z
    .string()
    .max(textUnitsMax)
    .refine((text) => !text.includes('\0'), 'must not hold NUL')
    .optional(),
  vectors: z.record(z.string(), z.string()).default({}),
  limit: z.int().min(1).max(200),
  documents: z.array(z.string()).max(1_000).optional(),
});

/** The query in the body of a search request. */
export function readQuery(body: Record<string, unknown>): PassageQuery {
  const { data, error } = input.safeParse(body);
  if (!data) throw new AppError('BAD_INPUT', formatIssues(error));
  const { text, limit, documents } = data;
  const vectors = new Map(
    Object.entries(data.vectors).map(([embedding, vector]) => [
      embedding,
      decodeVector(vector, `vectors.${embedding}`),
    ]),
  );
  return { text, vectors, limit, documents };
}
