export type Language = 'de' | 'en';

const german =
  'ab aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da dabei damit dann darf darfst das dass dein deine deinem deinen dem den denn der des dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch duerfen durfen ein eine einem einen einer eines er es etwas euch euer eure fuer fur gegen geht gern gibt hab habe haben hat hatte hatten hier hin ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes kann kannst kein keine keinen koennen konnen konnte machen macht mal man mein meine meinem meinen meiner mich mir mit moechte mochte muss muessen mussen nach nein nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so soll sollen sollte sonst tun ueber uber um und uns unser unsere unter vom von vor wann war waren warum was weil welche welchem welchen welcher welches wenn wer werde werden wie wieder wieso wieviel will wir wird wirst wo wofuer wofur woher wohin wurde wurden wuerde wurde zu zum zur zwischen viel viele passiert geschieht bekomme bekommen bekommt';
const english =
  'a about after again all also am an and any are as at be because been before being both but by can cannot could did do does doing done each for from get gets got had has have having he her here hers him his how i if in into is it its just know let like made make many may me more most much must my no nor not of off on once one only or other our out over own per please same shall she should so some such tell than that the their them then there these they this those through to too under until up us very want wants was we were what when where which while who whom whose why will with would yes you your happen happens s t don doesn isn';

export const stopWords: Record<Language, ReadonlySet<string>> = {
  de: new Set(german.split(' ')),
  en: new Set(english.split(' ')),
};

const wordsOnlyIn = (language: Language, other: Language): ReadonlySet<string> =>
  new Set([...stopWords[language]].filter((word) => !stopWords[other].has(word)));
const onlyGerman = wordsOnlyIn('de', 'en');
const onlyEnglish = wordsOnlyIn('en', 'de');

// Letters that are frequent in one of the two languages and rare in the other. They decide for
// texts without sentences, such as tables.
const germanLetters = /[äöüß]|sch|ung(?:en)?\b|keit|tz|eich|chen\b|pf|cht|zei|\bge\w{4,}t\b/giu;
const englishLetters = /th|wh|ing\b|tion\b|ck\b|oo|ou|sh|[a-z]y\b|ea/giu;

/** 1 for a German stop word that is not an English one, -1 for an English one, or else 0. */
export const languageVoteOf = (foldedWord: string): number =>
  onlyGerman.has(foldedWord) ? 1 : onlyEnglish.has(foldedWord) ? -1 : 0;

/** The language of a text by the votes of its words, or undefined if nothing decides. */
export function languageOf(votes: Iterable<number>, text: string): Language | undefined {
  let balance = 0;
  for (const vote of votes) balance += vote;
  if (balance !== 0) return balance > 0 ? 'de' : 'en';
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0;
  const letters = count(germanLetters) - count(englishLetters);
  return letters === 0 ? undefined : letters > 0 ? 'de' : 'en';
}
