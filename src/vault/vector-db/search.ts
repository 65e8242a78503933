import { z } from 'zod';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Sight } from './passage-table.ts';
import type { Hit } from './rows.ts';
import type { Store } from './store.ts';
import { decodeVector, tellFaults } from './vector.ts';

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

type Found = Omit<Hit, 'generation'> & { document: string };

/** Both searches of a collection, in all its spaces, on what was there at one moment. */
export async function search(store: Store, collection: string, body: Record<string, unknown>) {
  const { data, error } = input.safeParse(body);
  if (!data) throw new AppError('BAD_INPUT', tellFaults(error));
  const { text, limit, documents } = data;
  const state = store.collections.get(collection);
  if (!state) throw notFound('Collection');

  // From here to the first await, nothing can change: this is the moment of which the answer tells.
  const last = store.lastGeneration();
  const shelves = [...state.shelves.values()].sort((one, other) => other.passages - one.passages);
  const embeddings = [...new Set(shelves.map(({ embedding }) => embedding))].sort();
  const tables = shelves.map((place) => {
    const only = documents?.flatMap((document) => {
      const record = state.documents.get(document);
      return record?.embedding === place.embedding && record.isFresh === place.isFresh
        ? [record.generation]
        : [];
    });
    const hidden = store.hiddenIn(place);
    const sight: Sight = only
      ? { only: [...new Set(only)] }
      : hidden.length > 0
        ? { hidden, last }
        : 'everything';
    return {
      embedding: place.embedding,
      sight,
      careful: { hidden, last },
      table: store.tableOf(place),
    };
  });

  const vectors = new Map(
    Object.entries(data.vectors).map(([embedding, vector]) => [
      embedding,
      decodeVector(vector, `vectors.${embedding}`),
    ]),
  );
  const told = ({ generation, ...hit }: Hit): Found => ({
    document: store.documentOf(generation) ?? '',
    ...hit,
  });

  const perTable = await Promise.all(
    tables.map(async ({ embedding, sight, careful, table: opening }, index) => {
      const table = await opening;
      if (!table || (sight !== 'everything' && 'only' in sight && sight.only.length === 0))
        return { keyword: [], vector: [] };
      const vector = vectors.get(embedding);
      if (vector && vector.length !== table.dimensions)
        throw new AppError(
          'BAD_INPUT',
          `vectors.${embedding} must have ${table.dimensions} numbers`,
        );
      // Nothing was hidden, so nothing was filtered; where a writing has begun since, its rows are
      // seen here and it is asked again.
      const exactly = async (ask: (sight: Sight) => Promise<Hit[]>) => {
        const hits = await ask(sight);
        return hits.every(({ generation }) => generation <= last) ? hits : ask(careful);
      };
      const keywords = async () => {
        if (text === undefined) return [];
        const hits = await exactly((seen) => table.searchKeywords(text, seen, limit));
        const largest = index === 0 || hits.length === 0 ? undefined : await tables[0]?.table;
        return largest ? largest.rescore(text, hits) : hits;
      };
      const [keyword, near] = await Promise.all([
        keywords(),
        vector === undefined ? [] : exactly((seen) => table.searchVectors(vector, seen, limit)),
      ]);
      return {
        keyword: keyword.map(told),
        vector: near.map((hit) => ({ ...told(hit), embedding })),
      };
    }),
  );
  const best = <T extends { score: number }>(hits: T[]) =>
    hits.sort((one, other) => other.score - one.score).slice(0, limit);
  return {
    embeddings,
    keyword: best(perTable.flatMap(({ keyword }) => keyword)),
    vector: best(perTable.flatMap(({ vector }) => vector)),
  };
}
