import { AppError, notFound } from '../../../platform/errors.ts';
import type { DocumentCatalog } from '../catalog.ts';
import type { PassageQuery, SearchHits } from '../passage-store.ts';
import { fileNameOf, type Removals } from './removals.ts';
import type { VisibleVersions } from './search-file.ts';
import type { FileHit, FileSearch } from './tasks.ts';
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
    const searchBy = (query: Pick<FileSearch, 'text' | 'vector'>) =>
      read('search', file, { ...query, visible, limit, removals: removals.countIn(file) });
    const isEmpty = allowed?.length === 0;
    // Two threads share a search: one reads the words, the other the vectors.
    const keyword = isEmpty || text === undefined ? undefined : searchBy({ text });
    const nearest = isEmpty || !vector ? undefined : searchBy({ vector });
    return { embedding: partition.embedding, vector, keyword, nearest };
  });
  const found = await Promise.all(
    searches.map(async ({ embedding, vector, ...results }) => {
      const [byWords, nearest] = await Promise.all([results.keyword, results.nearest]);
      if (vector && nearest && vector.length !== nearest.dimensions)
        throw new AppError(
          'BAD_INPUT',
          `vectors.${embedding} must have ${nearest.dimensions} numbers`,
        );
      const toHit = ({ version, ...hit }: FileHit) => ({
        document: catalog.documentOf(version) ?? '',
        ...hit,
      });
      return {
        keyword: byWords?.keyword.map(toHit) ?? [],
        vector: nearest?.vector.map((hit) => ({ ...toHit(hit), embedding })) ?? [],
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
