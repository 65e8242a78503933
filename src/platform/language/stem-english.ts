/**
 * The stem of an English word in lower case, so that forms of a word are equal. This follows the
 * rules of Porter (1980), with those of his later version for short words, "ies" and adverbs.
 */
export function stemEnglish(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const withoutPlural = removePlural(word);
  const withoutEnding = removePastAndGerund(withoutPlural);
  const base = withoutEnding.replace(/(?<=..)(?<![aeiou])y$/, 'i');
  return removeFinal(removeSuffix(reduceSuffix(base)));
}

const hasVowel = (part: string): boolean => /[aeiouy]/.test(part);

/** How many groups of vowels are followed by a group of consonants. */
function measure(part: string): number {
  const shape = part.replaceAll(/[^aeiouy]+|(?<=[aeiou])y/g, 'c').replaceAll(/[aeiouy]+/g, 'v');
  return shape.split('vc').length - 1;
}

function removePlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[sd]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/(?:us|ss)$/.test(word)) return word;
  return word.endsWith('s') && hasVowel(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function removePastAndGerund(word: string): string {
  if (/eed(?:ly)?$/.test(word)) {
    const stem = word.replace(/eed(?:ly)?$/, '');
    return measure(stem) > 0 ? `${stem}ee` : word;
  }
  const stem = word.replace(/(?:ed|ing)(?:ly)?$/, '');
  if (stem === word || !hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/([bdfgmnprt])\1$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && isShort(stem) ? `${stem}e` : stem;
}

/** Ends in consonant, vowel, consonant, such as "hop": its verb may end in e. */
const isShort = (part: string): boolean => /[^aeiouy][aeiouy][^aeiouwxy]$/.test(part);

const reductions: readonly [suffix: string, replacement: string][] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['icate', 'ic'],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['ical', 'ic'],
  ['ness', ''],
  ['bli', 'ble'],
  ['ful', ''],
  ['li', ''],
];

function reduceSuffix(word: string): string {
  const match = reductions.find(([suffix]) => word.endsWith(suffix));
  if (!match) return word;
  const stem = word.slice(0, -match[0].length);
  return measure(stem) > 0 ? stem + match[1] : word;
}

const removedSuffix =
  /(?:ement|ance|ence|able|ible|ment|(?<=[st])ion|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic)$/;

function removeSuffix(word: string): string {
  const stem = word.replace(removedSuffix, '');
  return stem !== word && measure(stem) > 1 ? stem : word;
}

function removeFinal(word: string): string {
  if (word.endsWith('ll') && measure(word) > 1) return word.slice(0, -1);
  if (!word.endsWith('e')) return word;
  const stem = word.slice(0, -1);
  const times = measure(stem);
  return times > 1 || (times === 1 && !isShort(stem)) ? stem : word;
}
