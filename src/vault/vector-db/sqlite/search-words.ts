import { searchedWords } from '../rarest-words.ts';
import { queryWords } from '../words.ts';
import { type PassageFile, versionOf } from './passage-file.ts';
import { bestFirst, isVisible, type ScoredPassage, type VisibleVersions } from './search-file.ts';
import { createWordCounts, type WordCounts } from './word-counts.ts';
import { createWordScores, type FoundPassages, varintsIn, type WordScores } from './word-scores.ts';

// The scores are those of the function bm25 of FTS5, with these weights. FTS5 compares the places of
// all words of a query in each passage, and reads the length of each passage from its table; reading
// the entries of one word after the other takes a quarter of the time.
const saturation = 1.2;
const lengthShare = 0.75;
const rarityMin = 1e-6;
/** By the third letter of the column: text, title and pieces. */
const columnWeights: Readonly<Record<string, number>> = { x: 1, t: 1.5, e: 0.2 };

type WordIndex = { counts: WordCounts; passages: WordScores };
type Totals = { passages: number; averageLength: number };
/** For each place of a word, in the order of the passages: the passage and the column. */
type WordEntries = { places: number[]; columns: string };
const indexes = new WeakMap<PassageFile, WordIndex>();

/** The best passages by BM25 of the words of a query. Any of the words is enough. */
export function searchWords(
  file: PassageFile,
  text: string,
  visible: VisibleVersions,
  limit: number,
): ScoredPassage[] {
  const { counts, passages } = indexes.get(file) ?? openIndex(file);
  const seesVersion = isVisible(visible);
  return file.inSnapshot(() => {
    const totals = totalsIn(file);
    const found = passages.beginSearch();
    for (const word of searchedWords(queryWords(text), counts.counterFor(totals.passages)))
      addScores(file, entriesOf(file, word), totals, seesVersion, found);
    return best(found.scores(), limit);
  });
}

/** Forgets the passages of versions that are no longer in the file. */
export function forgetRemovedWords(
  file: PassageFile,
  isStored: (version: number) => boolean,
): void {
  indexes.get(file)?.passages.keepOnly(isStored);
}

/** Adds what one word tells of each passage. */
function addScores(
  file: PassageFile,
  { places, columns }: WordEntries,
  { passages, averageLength }: Totals,
  seesVersion: (version: number) => boolean,
  found: FoundPassages,
): void {
  const rarity = rarityOf(file, countOfPassages(places), passages);
  let [version, isSeen] = [-1, false];
  for (let place = 0; place < places.length; ) {
    const id = places[place] ?? 0;
    let frequency = 0;
    for (; places[place] === id; place += 1) frequency += columnWeights[columns[place] ?? ''] ?? 0;
    if (versionOf(id) !== version) {
      version = versionOf(id);
      isSeen = seesVersion(version);
    }
    if (!isSeen) continue;
    const length = (lengthShare * found.lengthOf(id)) / averageLength;
    found.add(
      id,
      rarity *
        ((frequency * (saturation + 1)) / (frequency + saturation * (1 - lengthShare + length))),
    );
  }
}

function openIndex(file: PassageFile): WordIndex {
  // In the connection only, so that files of earlier versions need not be changed.
  file.database.exec(
    `create virtual table if not exists temp.word_instance using fts5vocab (main, word, 'instance')`,
  );
  const index = { counts: createWordCounts(file), passages: createWordScores(file) };
  indexes.set(file, index);
  return index;
}

/** FTS5 keeps the number of its rows, and of the words in each column, in its first record. */
function totalsIn({ prepare }: PassageFile): Totals {
  const block = prepare('select block from word_data where id = 1').get()?.['block'];
  const [passages = 0, ...columns] = block instanceof Uint8Array ? varintsIn(block) : [];
  return { passages, averageLength: columns.reduce((sum, count) => sum + count, 0) / passages };
}

/** With the logarithm of SQLite, whose last digit is that of FTS5. */
const rarityOf = ({ numberOf }: PassageFile, count: number, passages: number): number =>
  Math.max(rarityMin, numberOf('select ln(?)', (passages - count + 0.5) / (count + 0.5)));

function entriesOf({ prepare }: PassageFile, word: string): WordEntries {
  // One text takes less time than a row for each place.
  const row = prepare(
    `select json_group_array(doc) as places, group_concat(substr(col, 3, 1), '') as columns
     from word_instance where term = ?`,
  ).get(word);
  return { places: JSON.parse(String(row?.['places'])), columns: String(row?.['columns']) };
}

function countOfPassages(places: readonly number[]): number {
  let count = 0;
  let last = -1;
  for (const id of places) {
    if (id !== last) count += 1;
    last = id;
  }
  return count;
}

function best(scored: Iterable<ScoredPassage>, limit: number): ScoredPassage[] {
  let found: ScoredPassage[] = [];
  let least = 0;
  for (const passage of scored) {
    if (passage.score < least) continue;
    found.push(passage);
    if (found.length < 4 * limit) continue;
    found = found.sort(bestFirst).slice(0, limit);
    least = found.at(-1)?.score ?? 0;
  }
  return found.sort(bestFirst).slice(0, limit);
}
