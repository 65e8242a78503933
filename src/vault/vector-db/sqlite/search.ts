import { AppError, notFound } from '../../../platform/errors.ts';
import type { DocumentCatalog } from '../catalog.ts';
import type { PassageQuery, SearchHits } from '../passage-store.ts';
import { fileNameOf, type Removals } from './removals.ts';
import type { VisibleVersions } from './search-file.ts';
import type { FileHit } from './tasks.ts';
import type { Threads } from './threads.ts';

type SearchDependencies = {
  catalog: DocumentCatalog;
  read: Threads['read'];
  removals: Removals;
  lastGeneration: () => number;
};

/** Searches the files of a collection in its state at one moment. */
export async function searchCollection(
  collection: string,
  { text, vectors, limit, documents }: PassageQuery,
  { catalog, read, removals, lastGeneration }: SearchDependencies,
): Promise<SearchHits> {
  for (const partition of catalog.collections.get(collection)?.partitions.values() ?? [])
    await removals.check(fileNameOf(partition));
  const state = catalog.collections.get(collection);
  if (!state) throw notFound('Collection');
  // From here to the first await nothing can change.
  const partitions = [...state.partitions.values()];
  const searches = partitions.map((partition) => {
    const file = fileNameOf(partition);
    const allowed = documents?.flatMap((name) => {
      const record = state.documents.get(name);
      return record?.embedding === partition.embedding ? [record.generation] : [];
    });
    const visible: VisibleVersions = allowed
      ? { allowed }
      : { hidden: [...removals.hiddenIn(file)], last: lastGeneration() };
    const vector = vectors.get(partition.embedding);
    const result =
      allowed?.length === 0
        ? undefined
        : read('search', file, { text, vector, visible, limit, removals: removals.countIn(file) });
    return { embedding: partition.embedding, vector, result };
  });
  const found = await Promise.all(
    searches.map(async ({ embedding, vector, result }) => {
      const hits = await result;
      if (hits && vector && vector.length !== hits.dimensions)
        throw new AppError(
          'BAD_INPUT',
          `vectors.${embedding} must have ${hits.dimensions} numbers`,
        );
      const toHit = ({ version, ...hit }: FileHit) => ({
        document: catalog.documentOf(version) ?? '',
        ...hit,
      });
      return {
        keyword: hits?.keyword.map(toHit) ?? [],
        vector: hits?.vector.map((hit) => ({ ...toHit(hit), embedding })) ?? [],
      };
    }),
  );
  const best = <T extends { score: number }>(hits: T[]) =>
    hits.sort((a, b) => b.score - a.score).slice(0, limit);
  return {
    embeddings: [...new Set(partitions.map(({ embedding }) => embedding))].sort(),
    keyword: best(found.flatMap(({ keyword }) => keyword)),
    vector: best(found.flatMap(({ vector }) => vector)),
  };
}
