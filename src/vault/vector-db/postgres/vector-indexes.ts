import type { Log } from '../../../platform/log.ts';
import { createMutex } from '../../../platform/mutex.ts';
import type { Space } from './spaces.ts';
import { everyCollection, type Transactions } from './transactions.ts';

/** HNSW takes at most so many numbers of `halfvec`. */
const dimensionsMax = 4_000;
const defaultPassagesMin = 20_000;
const namePrefix = 'hnsw_';
const indexName = ({ id }: Space): string => `${namePrefix}${id}`;

type VectorIndexOptions = {
  transactions: Transactions;
  /** A space with more passages gets an index. */
  passagesMin?: number | undefined;
  log: Log;
};

export type VectorIndexes = Awaited<ReturnType<typeof openVectorIndexes>>;

/**
 * The HNSW indexes of embedding spaces with many passages. They are built one at a time outside of
 * transactions, so that writes go on. Until an index is complete, every vector is compared.
 */
export async function openVectorIndexes({
  transactions,
  passagesMin = defaultPassagesMin,
  log,
}: VectorIndexOptions) {
  const withLock = createMutex();
  const complete = new Set<string>();
  const incomplete = new Set<string>();
  const requested = new Set<string>();
  let isClosing = false;
  const rows = await transactions.read(everyCollection, (query) =>
    query(
      `select relname, indisvalid from pg_index join pg_class on pg_class.oid = indexrelid
       where indrelid = 'passage_vector'::regclass and starts_with(relname, $1)`,
      [namePrefix],
    ),
  );
  for (const row of rows)
    (row['indisvalid'] === true ? complete : incomplete).add(String(row['relname']));

  const build = async (space: Space) => {
    const name = indexName(space);
    // A process that was killed while it built the index has left one that Postgres does not use.
    if (incomplete.has(name))
      await transactions.maintain(`drop index concurrently if exists ${name}`);
    incomplete.add(name);
    await transactions.maintain(
      `create index concurrently ${name} on passage_vector
       using hnsw ((numbers::halfvec(${space.dimensions})) halfvec_cosine_ops)
       with (ef_construction = 128) where space = ${space.id}`,
    );
    incomplete.delete(name);
    complete.add(name);
  };

  return {
    /** Builds the index of a space in the background if it has enough passages and no index. */
    request(space: Space): void {
      const name = indexName(space);
      if (space.passages <= passagesMin || space.dimensions > dimensionsMax) return;
      if (complete.has(name) || requested.has(name)) return;
      requested.add(name);
      void withLock(async () => {
        if (!isClosing) await build(space);
      })
        .catch((error: unknown) =>
          log.warn(
            { err: error },
            'building an index of vectors failed; the next document of the collection tries again',
          ),
        )
        .finally(() => requested.delete(name));
    },
    /** Whether a search of so many passages of a space uses its index. */
    isUsed: (space: Space, passages: number): boolean =>
      passages > passagesMin && complete.has(indexName(space)),
    /** Drops the indexes of spaces that no longer exist. */
    removeUnused(spaces: Iterable<Space>): void {
      const used = new Set([...spaces].map(indexName));
      for (const name of [...complete, ...incomplete])
        if (!used.has(name))
          void withLock(() =>
            transactions.maintain(`drop index concurrently if exists ${name}`),
          ).catch((error: unknown) =>
            log.warn({ err: error }, 'removing an index of vectors failed'),
          );
    },
    settled: (): Promise<void> => withLock(async () => undefined),
    async close(): Promise<void> {
      isClosing = true;
      await withLock(async () => undefined);
    },
  };
}
