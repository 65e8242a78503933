export type Language = 'de' | 'en';

const german =
  'aber als am an auch auf aus bei bekomme bekommen bekommt bin bis brauche brauchen braucht da damit dann das dass dein deine dem den der des dich die dies diese dieser dir doch dort du durch ein eine einem einen einer eines er erhaelt erhalte erhalten es euch euer fuer gegen geschieht gibt hab habe haben hat hatte hier hoch ich ihm ihn ihnen ihr ihre im in ist ja jede jeder jedes kann kein keine koennen lange machen macht man mein meine mich mir mit moechte muss nach nein nicht noch nun nur ob oder ohne passiert sehr sein seine sich sie sind so tun ueber um und uns unser unter viel viele vom von vor wann war warum was weg welche welchem welchen welcher welches wenn wer werde werden wessen wie wieder wieviel wird wo wofuer wohin wurde zu zum zur zwischen';
const english =
  'a about according after all also am an and any are as at be because been before but by can could did do does each for from get gets got had happen happens has have he her here him his how i if in into is it its just know known like long made make many may me more most much must my need needs no not of off on one only or other our out over per please say she should so some such tell than that the their them then there these they this those through to under until up us want wants was we were what when where which who whom whose why will with would yes you your';
const stopWords: Record<Language, ReadonlySet<string>> = {
  de: new Set(german.split(' ')),
  en: new Set(english.split(' ')),
};

// Only words that the other language does not have tell the two apart.
const telling = (language: Language, other: Language) =>
  new Set([...stopWords[language]].filter((word) => !stopWords[other].has(word)));
const onlyGerman = telling('de', 'en');
const onlyEnglish = telling('en', 'de');

const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

const wordsOf = (text: string): string[] =>
  foldedTo(text.toLowerCase()).match(/[\p{L}\p{N}]+(?:[.,]\d+)*/gu) ?? [];

/** Umlauts are written out; other accents are left out. */
const foldedTo = (text: string): string => {
  const plain = text.replaceAll(/[äöüß]/g, (letter) => umlauts[letter] ?? letter);
  if (isAscii.test(plain)) return plain;
  // Marks are removed before as well: normalize sorts a run of them, which takes the square of its
  // length.
  return plain.replaceAll(mark, '').normalize('NFD').replaceAll(mark, '');
};
const mark = /\p{M}+/gu;
const isAscii = /^[\t\n\r -~]*$/;

/** The words that carry what a text says, cut to what endings leave of them. */
export const contentWords = (text: string): string[] =>
  wordsOf(text)
    .filter(
      (word) =>
        (word.length > 1 || /\d/.test(word)) && !stopWords.de.has(word) && !stopWords.en.has(word),
    )
    .map(stemOf);

/** Which of the two languages a text is in; undefined where its small words do not tell. */
export function languageOf(text: string): Language | undefined {
  const words = wordsOf(text);
  const germanWords =
    words.filter((word) => onlyGerman.has(word)).length + (/[äöüß]/i.test(text) ? 1 : 0);
  const englishWords = words.filter((word) => onlyEnglish.has(word)).length;
  if (germanWords === englishWords) return undefined;
  return germanWords > englishWords ? 'de' : 'en';
}

const endings = /(?:ungen|ings|ung|ing|ern|ies|en|er|es|em|ed|ly|e|s|n|y)$/;

// Both languages put their endings last; four letters of a word are left at least.
function stemOf(word: string): string {
  if (/\d/.test(word)) return word;
  const stem = word.replace(endings, '');
  return stem.length >= 4 ? stem : word;
}

// Beyond this length two words are compared as a whole only: a search for one long word in another
// costs the product of their lengths.
const comparedCharactersMax = 100;

/**
 * How much one stem says the same as another: wholly, as the beginning of a compound, or somewhere
 * in one.
 */
export function likeness(wanted: string, found: string): number {
  if (wanted === found) return 1;
  if (
    wanted.length < 4 ||
    found.length < 4 ||
    wanted.length > comparedCharactersMax ||
    found.length > comparedCharactersMax
  )
    return 0;
  if (/\d/.test(wanted)) return 0;
  if (found.startsWith(wanted) || wanted.startsWith(found)) return 0.8;
  return wanted.length >= 5 && found.includes(wanted) ? 0.6 : 0;
}
