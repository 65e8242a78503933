import { stemEnglish } from '../../platform/language/stem-english.ts';
import { languageOf, languageVoteOf, stopWords } from '../../platform/language/stop-words.ts';
import { tokensOf } from '../../platform/language/tokens.ts';
import { knownWordOf, relatednessOf, weightOfWord } from '../../platform/language/word-vectors.ts';
import { compareCandidates, type SearchCandidate } from './fuse.ts';

/** So many of the best candidates are compared, and so many words of a query. */
const comparedMax = { candidates: 30, words: 24 };
/** What a passage with every word of the query adds to its fused score. */
const coverageWeight = 3;
/**
 * The cosine from which words are related, the one from which they mean the same, and what a related
 * word counts at most. Chosen, as the weight, on the tuning part of the labelled set
 * (test/bench/answers.ts).
 */
const relatedness = { min: 0.3, same: 0.8, countsMax: 0.8 };
const rememberedMax = 40_000;

/** `known`: its number among the word vectors. */
type Word = { text: string; stem: string; known: number | undefined };
const rememberedWords = new Map<string, Word>();

/**
 * Adds to each of the best candidates how much of an English query it covers, word by word, and
 * orders them again. The vector of a passage is the sum of its words, in which the one word that
 * answers a question disappears; here it counts fully. A word weighs more if few of the candidates
 * have it.
 */
export function withCoverage(query: string, candidates: SearchCandidate[]): SearchCandidate[] {
  const queryWords = wordsIn(query).slice(0, comparedMax.words);
  if (queryWords.length === 0 || !isEnglish(query)) return candidates;
  const compared = candidates.slice(0, comparedMax.candidates);
  const coverages = coveragesOf(queryWords, compared.map(wordsOfCandidate));
  const ranks = [...coverages].sort((a, b) => b - a);
  const covered = compared.map((candidate, index) => {
    const score = coverages[index] ?? 0;
    const share = coverageWeight * score;
    return {
      ...candidate,
      coverage: { rank: ranks.indexOf(score) + 1, score, share },
      fused: candidate.fused + share,
    };
  });
  return [...covered, ...candidates.slice(compared.length)].sort(compareCandidates);
}

function isEnglish(query: string): boolean {
  const votes = tokensOf(query).map(({ text }) => languageVoteOf(text));
  return languageOf(votes, query) === 'en';
}

const wordsOfCandidate = ({ text, headings }: SearchCandidate): Word[] =>
  wordsIn([text, ...headings].join('\n'));

/** Every word once, without those that English texts of all kinds have. */
function wordsIn(text: string): Word[] {
  if (rememberedWords.size > rememberedMax) rememberedWords.clear();
  const words = new Set<Word>();
  for (const token of tokensOf(text)) {
    if (token.text.length < 2 || stopWords.en.has(token.text)) continue;
    let word = rememberedWords.get(token.text);
    if (!word) {
      word = { text: token.text, stem: stemEnglish(token.text), known: knownWordOf(token.text) };
      rememberedWords.set(token.text, word);
    }
    words.add(word);
  }
  return [...words];
}

/** For each list of words, the share of the query that it covers: from 0 to 1. */
function coveragesOf(queryWords: readonly Word[], lists: readonly Word[][]): number[] {
  const similarities = new Map<Word, number[]>();
  const similaritiesOf = (word: Word): number[] => {
    const existing = similarities.get(word);
    if (existing) return existing;
    const computed = queryWords.map((searched) => similarityOf(searched, word));
    similarities.set(word, computed);
    return computed;
  };
  const best = lists.map((words) => {
    const highest = queryWords.map(() => 0);
    for (const word of words) {
      const ofWord = similaritiesOf(word);
      for (let index = 0; index < highest.length; index += 1)
        highest[index] = Math.max(highest[index] ?? 0, ofWord[index] ?? 0);
    }
    return highest;
  });
  const weights = queryWords.map(({ known }, index) => {
    const having = best.filter((highest) => highest[index] === 1).length;
    const rarity = Math.log(1 + (lists.length - having + 0.5) / (having + 0.5));
    return rarity * (known === undefined ? 1 : weightOfWord(known));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return best.map(
    (highest) =>
      highest.reduce((sum, similarity, index) => sum + similarity * (weights[index] ?? 0), 0) /
      total,
  );
}

/** 1 for words with the same stem, up to `countsMax` for related ones. */
function similarityOf(searched: Word, word: Word): number {
  if (searched.stem === word.stem) return 1;
  if (searched.known === undefined || word.known === undefined) return 0;
  const { min, same, countsMax } = relatedness;
  const position = (relatednessOf(searched.known, word.known) - min) / (same - min);
  return countsMax * Math.max(0, Math.min(1, position));
}
