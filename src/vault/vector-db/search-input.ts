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
  best: z
    .object({
      passages: z.int().min(1).max(400),
      weights: z.record(z.string(), z.number().min(0).max(10)),
    })
    .optional(),
});

export type BestPassages = NonNullable<z.output<typeof input>['best']>;

/**
 * The query in the body of a search request. With `best`, only the best passages have their texts
 * in the answer: so many, after the lists are fused with the weights of the embeddings.
 */
export function readQuery(body: Record<string, unknown>): {
  query: PassageQuery;
  best: BestPassages | undefined;
} {
  const { data, error } = input.safeParse(body);
  if (!data) throw new AppError('BAD_INPUT', formatIssues(error));
  const { text, limit, documents, best } = data;
  const vectors = new Map(
    Object.entries(data.vectors).map(([embedding, vector]) => [
      embedding,
      decodeVector(vector, `vectors.${embedding}`),
    ]),
  );
  return { query: { text, vectors, limit, documents }, best };
}
