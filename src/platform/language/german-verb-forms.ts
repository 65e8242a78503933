import { stemGerman } from './stem-german.ts';

// Forms of German verbs that a stemmer leaves different: separable verbs ("abzusagen", "abgesagt")
// and strong verbs with the nouns made of them ("fliegen", "geflogen", "Flug"). Words are in lower
// case and without accents, as tokens.ts has them.

const separable =
  'ab|an|auf|aus|bei|ein|fest|fort|her|hin|los|mit|nach|um|vor|weg|weiter|wieder|zuruck|zurueck|zusammen|zu';
const inseparable = 'be|emp|ent|er|miss|ver|zer';
/** "abzusagen", "abgesagt" */
const joinedForm = new RegExp(`^(${separable})(?:zu|ge)(.{3,40}[nt])$`);
/** "absagen" */
const infinitive = new RegExp(`^(${separable})(?!zu|ge)(.{3,40}en)$`);
const prefixed = new RegExp(`^(?:(${separable})|(${inseparable}))(.{3,40})$`);

const strongVerbs = `
backen buk gebacken
beginnen begann begonnen beginn
bieten bot geboten angebot
binden band gebunden bindung
bitten bat gebeten bitte
bleiben blieb geblieben
brechen brach gebrochen bruch
bringen brachte gebracht
denken dachte gedacht gedanke
essen ass gegessen
fahren fuhr gefahren fahrt
fallen fiel gefallen fall
fangen fing gefangen fang
finden fand gefunden fund
fliegen flog geflogen flug
frieren fror gefroren frost
geben gab gegeben gabe
gehen ging gegangen gang
gewinnen gewann gewonnen gewinn
giessen goss gegossen guss
gleichen glich geglichen
graben grub gegraben
halten hielt gehalten
heben hob gehoben
helfen half geholfen hilfe
kennen kannte gekannt kenntnis
laden lud geladen ladung
lassen liess gelassen
laufen lief gelaufen
leihen lieh geliehen
lesen las gelesen
liegen lag gelegen lage
messen mass gemessen messung
nehmen nimmt nahm genommen nahme
reissen riss gerissen
rufen rief gerufen ruf
scheiden schied geschieden
schieben schob geschoben schub
schlagen schlug geschlagen schlag
schliessen schloss geschlossen schluss
schneiden schnitt geschnitten
schreiben schrieb geschrieben schrift
schwimmen schwamm geschwommen
sitzen sass gesessen sitz
sprechen sprach gesprochen sprache gesprach
springen sprang gesprungen sprung
stehen stand gestanden
stehlen stahl gestohlen
steigen stieg gestiegen
sterben starb gestorben
tragen trug getragen
treffen traf getroffen
treiben trieb getrieben trieb
treten trat getreten tritt
trinken trank getrunken trunk
verlieren verlor verloren verlust
wachsen wuchs gewachsen wuchs
waschen wusch gewaschen
wenden wandte gewandt
werben warb geworben
werfen warf geworfen wurf
wiegen wog gewogen gewicht
ziehen zog gezogen zug
zwingen zwang gezwungen zwang`;

/** English words, which say nothing about a German verb. */
const englishWords = new Set(
  'band bat bot brach fall fang fund half lag las log mass ring sang stand trunk'.split(' '),
);

const verbOfStem = new Map<string, readonly string[]>();
for (const line of strongVerbs.trim().split('\n')) {
  const forms = line.split(' ');
  for (const form of forms) if (!englishWords.has(form)) verbOfStem.set(stemGerman(form), forms);
}

/** Other forms of the verb that a German word may be, or of the noun made of it. Not all exist. */
export function germanVerbForms(word: string): string[] {
  const [, joinedPrefix, joinedRest] = joinedForm.exec(word) ?? [];
  const [, prefix, rest] = infinitive.exec(word) ?? [];
  const forms = [
    ...(joinedPrefix && joinedRest ? [joinedPrefix + joinedRest] : []),
    ...(prefix && rest ? [`${prefix}zu${rest}`, `${prefix}ge${rest}`] : []),
  ];
  const all = new Set([...forms, ...[word, ...forms].flatMap(strongForms)]);
  all.delete(word);
  return [...all];
}

function strongForms(word: string): string[] {
  if (englishWords.has(word)) return [];
  const own = verbOfStem.get(stemGerman(word)) ?? [];
  const [, separated, joined, rest = ''] = prefixed.exec(word) ?? [];
  const verb = rest === '' ? [] : (verbOfStem.get(stemGerman(rest)) ?? []);
  return [
    ...own,
    ...verb.map((form) => (separated ? separated + form : joined + form.replace(/^ge/, ''))),
  ];
}
