import { createEventLoopYield } from '../../../platform/event-loop-yield.ts';
import type { EmbeddedPassage } from '../../passage.ts';
import { indexedWords, titleOf } from '../words.ts';

/**
 * The weights of a word in the text, the title and the pieces, in tenths, as the SQLite files have
 * them.
 */
const weights = { text: 10, title: 15, pieces: 2 };
const numberMax = 0xffff;

/**
 * The words of a batch of passages. Each word has one entry for each passage that has it, which is
 * one number: the ordinal, then 16 bits for the weighted frequency in tenths, and 16 bits for the
 * number of words of the passage.
 */
export type Postings = { terms: string[]; entries: string[]; words: number };

export async function postingsOf(
  passages: readonly EmbeddedPassage[],
  fileName: string | undefined,
): Promise<Postings> {
  const pause = createEventLoopYield();
  const entriesOfTerms = new Map<string, number[]>();
  let words = 0;
  for (const { ordinal, text, headings } of passages) {
    await pause();
    const { frequencies, length } = frequenciesOf(text, titleOf(fileName, headings));
    words += length;
    for (const [term, frequency] of frequencies) {
      const entries = entriesOfTerms.get(term) ?? [];
      entriesOfTerms.set(term, entries);
      entries.push(toEntry(ordinal, frequency, length));
    }
  }
  return {
    terms: [...entriesOfTerms.keys()],
    entries: [...entriesOfTerms.values()].map((entries) => `{${entries.join(',')}}`),
    words,
  };
}

function frequenciesOf(text: string, title: string) {
  const columns = indexedWords(text, title);
  const frequencies = new Map<string, number>();
  let length = 0;
  for (const [column, weight] of [
    [columns.text, weights.text],
    [columns.title, weights.title],
    [columns.pieces, weights.pieces],
  ] as const)
    for (const term of column.split(' ')) {
      if (term === '') continue;
      length += 1;
      frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
    }
  return { frequencies, length: Math.min(numberMax, length) };
}

const toEntry = (ordinal: number, frequency: number, length: number): number =>
  ordinal * 2 ** 32 + Math.min(numberMax, frequency) * 2 ** 16 + length;
