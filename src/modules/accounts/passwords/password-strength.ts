import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

// Score 3 of zxcvbn. Its score 2 (10^6) would accept a season or a product with a year and a sign,
// such as "Sommer2026!", which attackers try first on every account.
const guessesMin = 1e8;

// The time of an estimate grows with the length and with the letters that digits and signs may
// replace. With these bounds the worst input takes 3 ms, or 5 ms with the words of a person; with
// 64 characters and the default of 100 replacements it takes more than 60 ms. The longest password
// of the dictionary has 20 characters.
const estimatedCharactersMax = 32;
const replacementsMax = 5;

// Words of the product and of German that the dictionary of leaked passwords does not rank high
// enough.
const additionalWords = [
  'atrium',
  'administrator',
  'sommer',
  'herbst',
  'willkommen',
  'passwort',
  'qwertz',
  'qwertzuiop',
];
const personalWordMin = 3;

const estimator = new ZxcvbnFactory({
  dictionary: { ...dictionary, own: additionalWords },
  graphs: adjacencyGraphs,
  maxLength: estimatedCharactersMax,
  l33tMaxSubstitutions: replacementsMax,
});

/** What an attacker knows about the person: the e-mail address, the names, the organization. */
export type PersonalTexts = readonly (string | null | undefined)[];

/**
 * Whether an attacker finds the password within a hundred million guesses with leaked passwords,
 * words, keyboard rows, dates, repetitions and the personal texts. Only the first 32 characters are
 * estimated; further characters can only increase the number of guesses.
 */
export function isEasyToGuess(password: string, personalTexts: PersonalTexts = []): boolean {
  const words = personalWords(personalTexts);
  if (isBelowMin(password, words)) return true;
  // zxcvbn counts "Ada", ".", "Lovelace" and "1815" as four independent parts. So the password must
  // also be hard to guess after the personal words are removed.
  const lowerCase = password.toLowerCase();
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), lowerCase);
  return rest !== lowerCase && isBelowMin(rest, []);
}

// The condition is negated so that NaN as an estimate rejects the password.
const isBelowMin = (password: string, words: string[]) =>
  !(estimator.check(password, words).guesses >= guessesMin);

/** Returns each text and its words in lower case, the longest first. */
function personalWords(texts: PersonalTexts): string[] {
  const allWords = texts
    .flatMap((text) => (text ? [text, ...text.split(/[^\p{L}\p{N}]+/u)] : []))
    .map((word) => word.toLowerCase());
  return [...new Set(allWords)]
    .filter((word) => word.length >= personalWordMin)
    .sort((a, b) => b.length - a.length);
}
