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

// Words that the dictionary of leaked passwords does not rank high enough, in the languages of the
// first customers.
const ownWords = [
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
  dictionary: { ...dictionary, own: ownWords },
  graphs: adjacencyGraphs,
  maxLength: estimatedCharactersMax,
  l33tMaxSubstitutions: replacementsMax,
});

/** What an attacker knows of the person: their address, their names, their organization. */
export type PersonalTexts = readonly (string | null | undefined)[];

/**
 * Whether an attacker finds the password within a hundred million guesses, by leaked passwords,
 * words, keyboard rows, dates, repetitions and what is known of the person. Only the first
 * characters are estimated: what follows can only add guesses.
 */
export function isEasyToGuess(password: string, personalTexts: PersonalTexts = []): boolean {
  const words = personalWords(personalTexts);
  if (isBelowMin(password, words)) return true;
  // zxcvbn counts "Ada", ".", "Lovelace" and "1815" as four independent parts, so what is left
  // without the words of the person must be hard to guess as well.
  const lowerCase = password.toLowerCase();
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), lowerCase);
  return rest !== lowerCase && isBelowMin(rest, []);
}

// Not `guesses < guessesMin`: an estimate that is not a number must not let a password pass.
const isBelowMin = (password: string, words: string[]) =>
  !(estimator.check(password, words).guesses >= guessesMin);

/** Each text and its words in lower case, the longest first. */
function personalWords(texts: PersonalTexts): string[] {
  const known = texts
    .flatMap((text) => (text ? [text, ...text.split(/[^\p{L}\p{N}]+/u)] : []))
    .map((word) => word.toLowerCase());
  return [...new Set(known)]
    .filter((word) => word.length >= personalWordMin)
    .sort((a, b) => b.length - a.length);
}
