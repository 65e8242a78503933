import { likeness } from './words.ts';

const memoizedWordsMax = 10_000;

/**
 * How well groups of words (the sentences of a passage) contain a word. Each different word of the
 * groups is compared once with each word that is asked for, however often both of them occur.
 */
export class WordIndex {
  readonly #groupsOf = new Map<string, number[]>();
  readonly #memo = new Map<string, ReadonlyMap<number, number>>();

  constructor(groups: readonly (readonly string[])[]) {
    for (const [group, words] of groups.entries()) {
      for (const word of words) {
        const found = this.#groupsOf.get(word);
        if (!found) this.#groupsOf.set(word, [group]);
        else if (found.at(-1) !== group) found.push(group);
      }
    }
  }

  /**
   * For each group with a word like this one the highest likeness; groups without such a word are
   * not in it.
   */
  likenessByGroup(wanted: string): ReadonlyMap<number, number> {
    const known = this.#memo.get(wanted);
    if (known) return known;
    const best = new Map<number, number>();
    for (const [word, groups] of this.#groupsOf) {
      const alike = likeness(wanted, word);
      if (alike === 0) continue;
      for (const group of groups) if (alike > (best.get(group) ?? 0)) best.set(group, alike);
    }
    if (this.#memo.size < memoizedWordsMax) this.#memo.set(wanted, best);
    return best;
  }
}
