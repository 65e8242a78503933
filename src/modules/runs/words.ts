export type Language = 'de' | 'en';

const german =
  'aber als am an auch auf aus bedeuten bedeutet bei bekomme bekommen bekommt bin bis brauche brauchen braucht da damit dann das dass dein deine dem den der des dich die dies diese dieser dir doch dort du durch ein eine einem einen einer eines er erhaelt erhalte erhalten es euch euer fuer gegen geschieht gibt hab habe haben hat hatte heissen heisst hier hoch ich ihm ihn ihnen ihr ihre im in ist ja jede jeder jedes kann kein keine koennen lange machen macht man mein meine mich mir mit moechte muss nach nein nicht noch nun nur ob oder ohne passiert sehr sein seine sich sie sind so tun ueber um und uns unser unter viel viele vom von vor wann war warum was weg welche welchem welchen welcher welches wenn wer werde werden wessen wie wieder wieviel wird wo wofuer wohin wurde zu zum zur zwischen';
const english =
  'a about according after all also am an and any are as at be because been before but by can could did do does each for from get gets got had happen happens has have he her here him his how i if in into is it its just know known like long made make many may me mean means more most much must my need needs no not of off on one only or other our out over per please say she should so some such tell than that the their them then there these they this those through to under until up us want wants was we were what when where which who whom whose why will with would yes you your';
const stopWords: Record<Language, ReadonlySet<string>> = {
  de: new Set(german.split(' ')),
  en: new Set(english.split(' ')),
};

// Only words that exist in one of the two languages help to tell them apart.
const wordsOnlyIn = (language: Language, other: Language) =>
  new Set([...stopWords[language]].filter((word) => !stopWords[other].has(word)));
const onlyGerman = wordsOnlyIn('de', 'en');
const onlyEnglish = wordsOnlyIn('en', 'de');

const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

const wordsOf = (text: string): string[] =>
  foldAccents(text.toLowerCase()).match(/[\p{L}\p{N}]+(?:[.,]\d+)*/gu) ?? [];

/** Writes umlauts as two letters and removes other accents. */
const foldAccents = (text: string): string => {
  const plain = text.replaceAll(/[äöüß]/g, (letter) => umlauts[letter] ?? letter);
  if (asciiPattern.test(plain)) return plain;
  // Combining marks are also removed first: `normalize` sorts a run of marks, which costs the
  // square of its length.
  return plain.replaceAll(combiningMarks, '').normalize('NFD').replaceAll(combiningMarks, '');
};
const combiningMarks = /\p{M}+/gu;
const asciiPattern = /^[\t\n\r -~]*$/;

/** The stems of the words that carry the meaning of a text. */
export const contentWords = (text: string): string[] => contentForms(text).map(stemOf);

const contentForms = (text: string): string[] => [
  ...wordsOf(text).filter(
    (word) =>
      (word.length > 1 || /\d/.test(word)) && !stopWords.de.has(word) && !stopWords.en.has(word),
  ),
  ...codesIn(text),
];

// Such as "E-11", whose parts are words as well: "11" alone may be anything.
const codePattern = /(?<![\p{L}\p{N}-])(\p{Lu}{1,5})-(\d{1,6})(?![\p{L}\p{N}-])/gu;

const codesIn = (text: string): string[] =>
  text.includes('-')
    ? [...text.matchAll(codePattern)].map(([, letters = '', digits = '']) =>
        foldAccents(`${letters}${digits}`.toLowerCase()),
      )
    : [];

/** For each stem in the texts its first form, such as "holiday" for "holida". */
export function formsByStem(texts: Iterable<string>): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  for (const text of texts)
    for (const form of contentForms(text)) {
      const stem = stemOf(form);
      if (!forms.has(stem)) forms.set(stem, form);
    }
  return forms;
}

/** The language of a text; undefined if its stop words do not decide. */
export function languageOf(text: string): Language | undefined {
  const words = wordsOf(text);
  const germanWords =
    words.filter((word) => onlyGerman.has(word)).length + (/[äöüß]/i.test(text) ? 1 : 0);
  const englishWords = words.filter((word) => onlyEnglish.has(word)).length;
  if (germanWords === englishWords) return undefined;
  return germanWords > englishWords ? 'de' : 'en';
}

const endings = /(?:ungen|ings|ung|ing|ern|ies|en|er|es|em|ed|ly|e|s|n|y)$/;

// Removes an ending from a word. At least four letters remain.
function stemOf(word: string): string {
  if (/\d/.test(word)) return word;
  const stem = word.replace(endings, '');
  return stem.length >= 4 ? stem : word;
}

// Longer words are only compared for equality: searching one long word in another costs the product
// of their lengths.
const comparedCharactersMax = 100;

/** The similarity of two stems: 1 if equal, less if one begins with the other or contains it. */
export function similarity(searched: string, word: string): number {
  if (searched === word) return 1;
  if (
    searched.length < 4 ||
    word.length < 4 ||
    searched.length > comparedCharactersMax ||
    word.length > comparedCharactersMax
  )
    return 0;
  if (/\d/.test(searched)) return 0;
  if (word.startsWith(searched) || searched.startsWith(word)) return 0.8;
  return searched.length >= 5 && word.includes(searched) ? 0.6 : 0;
}
