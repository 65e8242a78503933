import type { EmbeddedPassage, Passage } from '../../passage.ts';
import type { PassageRange } from '../passage-store.ts';
import { fromHalfVector, toHalfVector } from './half-vector.ts';
import { postingsOf } from './postings.ts';
import type { Space } from './spaces.ts';
import type { Transactions } from './transactions.ts';

const postingsPerRemoval = 20_000;
const passagesPerRemoval = 2_000;

type AddedPassages = {
  generation: number;
  passages: readonly EmbeddedPassage[];
  fileName: string | undefined;
};

/** Adds passages to a generation. Returns the number of their words. */
export async function addPassages(
  transactions: Transactions,
  { id: space, collection }: Space,
  { generation, passages, fileName }: AddedPassages,
): Promise<number> {
  const { terms, entries, words } = await postingsOf(passages, fileName);
  const owner = [collection, space, generation];
  const ordinals = passages.map(({ ordinal }) => ordinal);
  await transactions.write(
    collection,
    async (query) => {
      await query(
        `insert into generation (collection, space, number, passages, words)
         values ($1, $2, $3, $4, $5)
         on conflict (number) do update set
           passages = generation.passages + excluded.passages,
           words = generation.words + excluded.words`,
        [...owner, passages.length, words],
      );
      await query(
        `insert into passage
           (collection, space, generation, ordinal, text, page, headings, start_at, end_at)
         select $1, $2, $3, * from unnest(
           $4::int[], $5::text[], $6::int[], $7::text[], $8::bigint[], $9::bigint[])`,
        [
          ...owner,
          ordinals,
          passages.map(({ text }) => text),
          passages.map(({ page }) => page),
          passages.map(({ headings }) => JSON.stringify(headings)),
          passages.map(({ start }) => start),
          passages.map(({ end }) => end),
        ],
      );
      await query(
        `insert into passage_vector (collection, space, generation, ordinal, numbers)
         select $1, $2, $3, ordinal, numbers::halfvec
         from unnest($4::int[], $5::text[]) as added (ordinal, numbers)`,
        [...owner, ordinals, passages.map(({ vector }) => toHalfVector(vector))],
      );
      await query(
        `insert into posting (collection, space, generation, term, entries)
         select $1, $2, $3, term, entries::bigint[]
         from unnest($4::text[], $5::text[]) as added (term, entries)`,
        [...owner, terms, entries],
      );
    },
    // The transaction that makes the passages visible flushes this one as well.
    { isDurable: false },
  );
  return words;
}

/** Removes the passages of a generation in steps. Returns how many it had, with their words. */
export async function removeGeneration(
  transactions: Transactions,
  { id: space, collection }: Space,
  generation: number,
  isStopped: () => boolean,
): Promise<{ passages: number; words: number } | undefined> {
  const inOwn = `space = ${space} and generation = ${generation}`;
  const steps: [table: string, condition: string, limit: number][] = [
    ['posting', `generation = ${generation}`, postingsPerRemoval],
    ['passage_vector', inOwn, passagesPerRemoval],
    ['passage', inOwn, passagesPerRemoval],
  ];
  for (const [table, condition, limit] of steps)
    for (let removed = limit; removed === limit; ) {
      if (isStopped()) return undefined;
      removed = await transactions.write(collection, async (query) => {
        const rows = await query(
          `delete from ${table} where ctid = any(array(
             select ctid from ${table} where ${condition} limit ${limit})) returning 1`,
        );
        return rows.length;
      });
    }
  return transactions.write(collection, async (query) => {
    const [row] = await query(
      'delete from generation where number = $1 returning passages, words',
      [generation],
    );
    return { passages: Number(row?.['passages'] ?? 0), words: Number(row?.['words'] ?? 0) };
  });
}

export const passageColumns =
  'passage.generation, passage.ordinal, text, page, headings, start_at, end_at';

export const toPassage = (row: Record<string, unknown>): Passage => ({
  ordinal: Number(row['ordinal']),
  text: String(row['text']),
  page: row['page'] === null ? null : Number(row['page']),
  headings: JSON.parse(String(row['headings'])),
  start: Number(row['start_at']),
  end: Number(row['end_at']),
});

/** Passages of a generation by ordinal, or those that overlap a range of the document's text. */
export const passagesInRange = (
  transactions: Transactions,
  { id: space, collection }: Space,
  generation: number,
  range: PassageRange,
): Promise<EmbeddedPassage[]> =>
  transactions.read(collection, async (query) => {
    const [condition, values] =
      'from' in range
        ? ['passage.ordinal >= $3 and passage.ordinal < $4', [range.from, range.from + range.limit]]
        : ['end_at > $3 and start_at < $4', [range.start, range.end]];
    const rows = await query(
      `select ${passageColumns}, numbers from passage
       join passage_vector using (space, generation, ordinal)
       where passage.space = $1 and passage.generation = $2 and ${condition}
       order by passage.ordinal`,
      [space, generation, ...values],
    );
    return rows.map((row) => ({ ...toPassage(row), vector: fromHalfVector(row['numbers']) }));
  });
