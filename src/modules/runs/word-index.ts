import { similarity } from './words.ts';

const cachedWordsMax = 10_000;

/**
 * Tells how well groups of words, such as the sentences of a passage, match a word. Each distinct
 * word of the groups is compared only once with each word that is looked up.
 */
export class WordIndex {
  readonly #groupsOf = new Map<string, number[]>();
  readonly #cache = new Map<string, ReadonlyMap<number, number>>();

  constructor(groups: readonly (readonly string[])[]) {
    for (const [group, words] of groups.entries()) {
      for (const word of words) {
        const groupsOfWord = this.#groupsOf.get(word);
        if (!groupsOfWord) this.#groupsOf.set(word, [group]);
        else if (groupsOfWord.at(-1) !== group) groupsOfWord.push(group);
      }
    }
  }

  /**
   * The highest similarity in each group that contains a similar word. Other groups are not in the
   * map.
   */
  similarityByGroup(searched: string): ReadonlyMap<number, number> {
    const cached = this.#cache.get(searched);
    if (cached) return cached;
    const bestByGroup = this.bestByGroup((word) => similarity(searched, word));
    if (this.#cache.size < cachedWordsMax) this.#cache.set(searched, bestByGroup);
    return bestByGroup;
  }

  /** The same with any measure of words. */
  bestByGroup(measure: (word: string) => number): ReadonlyMap<number, number> {
    const bestByGroup = new Map<number, number>();
    for (const [word, groups] of this.#groupsOf) {
      const score = measure(word);
      if (score === 0) continue;
      for (const group of groups)
        if (score > (bestByGroup.get(group) ?? 0)) bestByGroup.set(group, score);
    }
    return bestByGroup;
  }
}
