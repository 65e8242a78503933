import { searchedWords } from '../rarest-words.ts';
import { queryWords } from '../words.ts';
import { passageColumns } from './passage-tables.ts';
import type { Space } from './spaces.ts';
import type { Query } from './transactions.ts';
import { type VisibleGenerations, visibleIn } from './visible-generations.ts';

// BM25 with the parameters of SQLite's FTS5, so that the engines order passages alike.
const saturation = 1.2;
const lengthWeight = 0.75;
const weightMin = 1e-6;

export type WordSearch = { text: string; visible: VisibleGenerations; limit: number };

/** The best passages by BM25 of the words of a query. Any of the words is enough. */
export async function searchWords(
  query: Query,
  space: Space,
  { text, visible, limit }: WordSearch,
  countWords: WordCounter,
): Promise<Record<string, unknown>[]> {
  const words = queryWords(text);
  const all = [...words.words, ...words.pieces];
  if (all.length === 0 || space.passages === 0) return [];
  const counts = await countWords(query, space, all);
  const searched = searchedWords(words, (word) => counts.get(word) ?? 0);
  if (searched.length === 0) return [];
  const weights = searched.map((word) => weightOf(counts.get(word) ?? 0, space.passages));
  const averageLength = Math.max(1, space.words / space.passages);
  return query(
    `select ${passageColumns}, score from (
       select generation, ordinal, sum(
         weight * frequency * ${saturation + 1}
         / (frequency + ${saturation} * (${1 - lengthWeight} + ${lengthWeight} * length / $3::float8))
       ) as score
       from (
         select posting.generation, (entry >> 32)::int as ordinal, weight,
           ((entry >> 16) & 65535)::float8 / 10 as frequency, (entry & 65535)::float8 as length
         from unnest($1::text[], $2::float8[]) as word (term, weight)
         join posting on posting.space = ${space.id} and posting.term = word.term
           and posting.term = any($1::text[]) and ${visibleIn('posting', visible)}
         cross join lateral unnest(entries) as entry
       ) as found
       group by generation, ordinal
       order by score desc, generation, ordinal limit ${limit}
     ) as best
     join passage on passage.space = ${space.id}
       and passage.generation = best.generation and passage.ordinal = best.ordinal`,
    [searched, weights, averageLength],
  );
}

const weightOf = (count: number, passages: number): number =>
  Math.max(weightMin, Math.log((passages - count + 0.5) / (count + 0.5)));

export type WordCounter = ReturnType<typeof createWordCounter>;

/** Only the counts of words that are this frequent are remembered. */
const rememberedFrom = 1_000;
const rememberedMax = 20_000;
/** A remembered count is used until this share of the passages has been added or removed. */
const changedShareMax = 0.01;

/**
 * In how many passages words are, also in those that nobody sees. Postgres reads all entries of a
 * word to count them, so the counts of frequent words are remembered for a while.
 */
export function createWordCounter() {
  const remembered = new Map<string, { count: number; passages: number }>();
  return async (
    query: Query,
    space: Space,
    words: readonly string[],
  ): Promise<Map<string, number>> => {
    const counts = new Map<string, number>();
    for (const word of words) {
      const known = remembered.get(`${space.id} ${word}`);
      if (known && Math.abs(space.passages - known.passages) <= changedShareMax * known.passages)
        counts.set(word, known.count);
    }
    const unknown = words.filter((word) => !counts.has(word));
    if (unknown.length === 0) return counts;
    const rows = await query(
      `select term, sum(cardinality(entries))::float8 as count from posting
       where space = ${space.id} and term = any($1::text[]) group by term`,
      [unknown],
    );
    for (const row of rows) {
      const [word, count] = [String(row['term']), Number(row['count'])];
      counts.set(word, count);
      if (count < rememberedFrom) continue;
      if (remembered.size >= rememberedMax) remembered.clear();
      remembered.set(`${space.id} ${word}`, { count, passages: space.passages });
    }
    return counts;
  };
}
