/**
 * A word of a text in lower case and without accents. `joined`: a name or number of several parts,
 * such as "RFC 9457", "how-can-i-help" or "28,50", which has no stem; `unspaced`: signs of a script
 * without spaces between words.
 */
export type Token = { text: string; kind: 'word' | 'joined' | 'unspaced' };

/** Soft hyphens, joiners and other characters that nobody sees inside of a word. */
const invisible = /[\u00AD\u200B-\u200F\u2060\u2066-\u2069\uFEFF]|[\uFE00-\uFE0F]/g;
const wordCharacter = /^[\p{L}\p{N}\p{M}\p{Co}]$/u;
const unspacedPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
const hasUnspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const ascii = /^[ -~]*$/;
const joinedPartsMax = 6;
const joinedUnitsMax = 40;
const wordUnitsMax = 64;

/** Lower case, without accents, and with "ss" for "ß", so that "grosse" and "Größe" begin alike. */
export function foldWord(word: string): string {
  if (ascii.test(word)) return word.toLowerCase();
  return (
    word
      // Runs of marks are removed first: `normalize` sorts them, which costs the square of their
      // number.
      .replaceAll(/\p{M}{5,}/gu, '')
      .normalize('NFKD')
      .replaceAll(/\p{M}+/gu, '')
      .normalize('NFC')
      .toLowerCase()
      .replaceAll('ß', 'ss')
  );
}

/** The words of a text in their order. Parts of a joined name follow it as words. */
export function tokensOf(text: string): Token[] {
  const visible = text.replaceAll(invisible, '');
  const addWord = hasUnspaced.test(visible) ? addMixedWord : addSpacedWord;
  const tokens: Token[] = [];
  let chain: string[] = [];
  let chainEnd = -1;
  let isNumber = false;
  const endChain = () => {
    if (chain.length > 1) {
      const joined = isNumber ? numberOf(chain) : chain.map(foldWord).join('');
      if (chain.length <= joinedPartsMax && joined.length <= joinedUnitsMax)
        tokens.push({ text: joined, kind: 'joined' });
    }
    // A date such as 14.01.2026 has parts, a decimal number has none.
    if (!isNumber || chain.length !== 2) for (const word of chain) addWord(tokens, word);
    chain = [];
  };
  for (let start = 0; start < visible.length; ) {
    const end = endOfWord(visible, start);
    if (end === start) {
      start += 1;
      continue;
    }
    const word = visible.slice(start, end);
    if (chain.length > 0) {
      const previous = chain.at(-1) ?? '';
      const between = visible.slice(chainEnd, start);
      const joins = chain.length < joinedPartsMax && joinsWords(previous, between, word);
      const joinsDigits =
        (between === '.' || between === ',') && digits.test(previous) && digits.test(word);
      if (!joins || (chain.length > 1 && joinsDigits !== isNumber)) endChain();
      if (chain.length === 1) isNumber = joinsDigits;
    }
    if (chain.length === 0) isNumber = false;
    chain.push(word);
    chainEnd = end;
    start = end;
  }
  endChain();
  return tokens;
}

const digits = /^\d+$/;
const joiners = new Set([..."-_.@/+:'’‑–"]);
const capitals = /^\p{Lu}{1,5}$/u;
const digitFirst = /^\d[\d\p{L}]*$/u;

function joinsWords(previous: string, between: string, word: string): boolean {
  if (between === ' ')
    // "RFC 9457" and "E 27", but not "Seite 12".
    return isDigit(word.charCodeAt(0)) && capitals.test(previous) && digitFirst.test(word);
  if (between === ',') return digits.test(previous) && digits.test(word);
  return joiners.has(between);
}

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39;

/** Whether a unit belongs to a word, or another separates words; 0 is not known yet. */
const unitKinds = new Uint8Array(65_536);
const [inWord, betweenWords] = [1, 2];

/** Where the word that begins at `start` ends; `start` if no word begins there. */
function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    const kind = unitKinds[unit];
    if (kind === betweenWords) return at;
    if (kind === inWord) at += 1;
    else {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      const belongs = wordCharacter.test(character);
      if (character.length === 1) unitKinds[unit] = belongs ? inWord : betweenWords;
      if (!belongs) return at;
      at += character.length;
    }
  }
  return at;
}

/** 28,50 and 28.50 are equal, and so are 1.250,00 and 1,250 and 1250. */
function numberOf(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  const isDecimal = last.length !== 3;
  const whole = (isDecimal ? parts.slice(0, -1) : parts).join('');
  return isDecimal && !/^0+$/.test(last) ? `${whole}d${last}` : whole;
}

function addSpacedWord(tokens: Token[], word: string): void {
  tokens.push({ text: foldWord(word).slice(0, wordUnitsMax), kind: 'word' });
}

function addMixedWord(tokens: Token[], word: string): void {
  if (!hasUnspaced.test(word)) {
    addSpacedWord(tokens, word);
    return;
  }
  let end = 0;
  for (const { 0: run, index } of word.matchAll(unspacedPattern)) {
    if (index > end) tokens.push({ text: foldWord(word.slice(end, index)), kind: 'word' });
    const signs = [...foldWord(run)];
    for (let at = 0; at < Math.max(1, signs.length - 1); at += 1)
      tokens.push({ text: signs.slice(at, at + 2).join(''), kind: 'unspaced' });
    end = index + run.length;
  }
  if (end < word.length) tokens.push({ text: foldWord(word.slice(end)), kind: 'word' });
}
