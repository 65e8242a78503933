/**
 * The words of a text as ranges of code units, so that hashing needs no string for each word.
 */
export type WordUnits = { units: Uint16Array; starts: number[]; ends: number[] };

const separator = 1;
const letter = 2;
const digit = 3;
/** Characters of scripts without spaces between words; each character counts as a word. */
const unspacedCharacter = 4;
const ignoredUnit = 5;

const classes = new Uint8Array(65_536);
const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
// Accents, soft hyphens and joiners do not distinguish words.
const ignored = /[\u0300-\u036F]|[\u00AD\u200B\u200C\u2060\uFEFF]|\u200D|[\uFE00-\uFE0F]/;
const sharpS = 0xdf;
const [a, e, o, q, s, u] = ['a', 'e', 'o', 'q', 's', 'u'].map((character) =>
  character.charCodeAt(0),
);

/**
 * Splits a text into normalized words, so that different spellings of a word are equal. Case, accents
 * and compatibility forms are removed. ä, ae and a are equal, as are ß and ss, because names and
 * e-mail addresses use both. 1.250,00 and 1,250.00 and 125000 are equal.
 */
export function wordsOf(text: string): WordUnits {
  const folded = text.normalize('NFKD').toLowerCase();
  // Twice the length, because a sharp s becomes two units.
  const units = new Uint16Array(folded.length * 2);
  const starts: number[] = [];
  const ends: number[] = [];
  let length = 0;
  let start = 0;
  let previousClass = separator;
  const endWord = () => {
    if (length === start) return;
    starts.push(start);
    ends.push(length);
    start = length;
  };
  for (let index = 0; index < folded.length; index++) {
    const unit = folded.charCodeAt(index);
    const unitClass = classes[unit] || classOf(unit);
    if (unitClass === ignoredUnit) continue;
    if (unitClass === separator) {
      const isInsideNumber =
        previousClass === digit &&
        (unit === 0x2e || unit === 0x2c) &&
        isDigit(folded.charCodeAt(index + 1));
      if (isInsideNumber) continue;
      endWord();
    } else if (unitClass === unspacedCharacter) {
      endWord();
      units[length++] = unit;
      endWord();
    } else if (unit === sharpS) {
      units[length++] = s ?? 0;
      units[length++] = s ?? 0;
    } else if (!isUmlautTail(unit, units, start, length)) {
      units[length++] = unit;
    }
    previousClass = unitClass;
  }
  endWord();
  return { units, starts, ends };
}

/** True for the e of ae, oe and ue, but not for the e of que. */
function isUmlautTail(unit: number, units: Uint16Array, start: number, length: number): boolean {
  if (unit !== e || length === start) return false;
  const previousUnit = units[length - 1];
  return (
    previousUnit === a ||
    previousUnit === o ||
    (previousUnit === u && !(length - 1 > start && units[length - 2] === q))
  );
}

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39;

function classOf(unit: number): number {
  const character = String.fromCharCode(unit);
  const unitClass = isDigit(unit)
    ? digit
    : ignored.test(character)
      ? ignoredUnit
      : unspacedScripts.test(character)
        ? unspacedCharacter
        : // Surrogates (\p{Cs}) are halves of rare scripts and emoji.
          /[\p{L}\p{N}\p{M}\p{Cs}]/u.test(character)
          ? letter
          : separator;
  classes[unit] = unitClass;
  return unitClass;
}
