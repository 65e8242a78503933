/**
 * Words of a text as runs of code units, so that they are hashed without a string for each of them.
 */
export type Words = { units: Uint16Array; starts: number[]; ends: number[] };

const separator = 1;
const letter = 2;
const digit = 3;
/** Scripts without spaces between words: each sign stands for itself. */
const sign = 4;
const dropped = 5;

const kinds = new Uint8Array(65_536);
const signs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
// Accents, soft hyphens and joiners are how a word is written, not what it is.
const silent = /[\u0300-\u036F]|[\u00AD\u200B\u200C\u2060\uFEFF]|\u200D|[\uFE00-\uFE0F]/;
const sharpS = 0xdf;
const [a, e, o, q, s, u] = ['a', 'e', 'o', 'q', 's', 'u'].map((character) =>
  character.charCodeAt(0),
);

/**
 * Folded so that spellings of one word meet: case, accents, compatibility forms; ä, ae and a are
 * one, as are ß and ss (names and e-mail addresses are written either way); 1.250,00 and 1,250.00
 * and 125000 are one.
 */
export function wordsOf(text: string): Words {
  const folded = text.normalize('NFKD').toLowerCase();
  // A sharp s is two units afterwards.
  const units = new Uint16Array(folded.length * 2);
  const starts: number[] = [];
  const ends: number[] = [];
  let length = 0;
  let start = 0;
  let last = separator;
  const end = () => {
    if (length === start) return;
    starts.push(start);
    ends.push(length);
    start = length;
  };
  for (let index = 0; index < folded.length; index++) {
    const unit = folded.charCodeAt(index);
    const kind = kinds[unit] || kindOf(unit);
    if (kind === dropped) continue;
    if (kind === separator) {
      const isInsideNumber =
        last === digit && (unit === 0x2e || unit === 0x2c) && isDigit(folded.charCodeAt(index + 1));
      if (isInsideNumber) continue;
      end();
    } else if (kind === sign) {
      end();
      units[length++] = unit;
      end();
    } else if (unit === sharpS) {
      units[length++] = s ?? 0;
      units[length++] = s ?? 0;
    } else if (!isUmlautTail(unit, units, start, length)) {
      units[length++] = unit;
    }
    last = kind;
  }
  end();
  return { units, starts, ends };
}

/** The e of ae, oe and ue; the ue of que is none. */
function isUmlautTail(unit: number, units: Uint16Array, start: number, length: number): boolean {
  if (unit !== e || length === start) return false;
  const before = units[length - 1];
  return (
    before === a ||
    before === o ||
    (before === u && !(length - 1 > start && units[length - 2] === q))
  );
}

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39;

function kindOf(unit: number): number {
  const character = String.fromCharCode(unit);
  const kind = isDigit(unit)
    ? digit
    : silent.test(character)
      ? dropped
      : signs.test(character)
        ? sign
        : // Halves of pairs are rare scripts and pictures.
          /[\p{L}\p{N}\p{M}\p{Cs}]/u.test(character)
          ? letter
          : separator;
  kinds[unit] = kind;
  return kind;
}
