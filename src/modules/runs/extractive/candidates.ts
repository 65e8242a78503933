import type { FencedPassage } from '../fence.ts';
import { sentencesOf } from '../sentences.ts';
import { contentWords } from '../words.ts';

/** A part of a passage that can be an answer. */
export type Candidate = {
  number: number;
  order: number;
  text: string;
  words: readonly string[];
  /** The words of the sentence or heading before it, which it may refer to. */
  context: readonly string[];
  /** The words of the heading right above it. */
  heading: readonly string[];
  /** The words of the headings above its passage and of the name of its file. */
  surroundings: readonly string[];
};

const candidateCharactersMax = 1_000;
/** The most that an announcing line, such as "Bring along:", takes of what follows. */
const announcedMax = { entries: 8, characters: 600 };

type TextPart = { text: string; words: readonly string[]; isEntry?: boolean };

/**
 * The sentences, list entries, table rows and entries of JSON of the passages. A question, a heading
 * and a line of a table of contents is no answer.
 */
export function candidatesOf(passages: readonly FencedPassage[]): Candidate[] {
  const candidates = passages.flatMap(({ number, text, file = '', under = [] }) => {
    const surroundings = contentWords([...under, file.replace(/\.\w{1,5}$/, '')].join('\n'));
    const parts = withFollowing(partsOf(text));
    let heading = contentWords(under.at(-1) ?? '');
    return parts.map((part, index) => {
      const candidate = {
        number,
        text: part.text,
        words: part.words,
        heading,
        surroundings,
        context: isTableRow(part) ? [] : (parts[index - 1]?.words ?? []),
        isHeading: isHeadingOf(part, parts[index + 1]),
      };
      if (candidate.isHeading) heading = part.words.slice();
      return candidate;
    });
  });
  return candidates
    .filter(
      ({ text, words, isHeading }) =>
        words.length > 0 &&
        !isHeading &&
        text.length <= candidateCharactersMax &&
        !text.endsWith('?') &&
        !/^#{1,6} /.test(text) &&
        !contentsLine.test(text),
    )
    .map(({ isHeading: _, ...candidate }, order) => ({ ...candidate, order }));
}

const headingCharactersMax = 80;

/**
 * A short line without the end of a sentence, such as "5. Bonfires", is a heading of what follows; so
 * is a value of JSON before the entries, such as the name of a product.
 */
function isHeadingOf({ text, isEntry }: TextPart, next: TextPart | undefined): boolean {
  if (!next || text.length > headingCharactersMax || isEntry) return false;
  if (next.isEntry) return true;
  return !/[.!?:;,|]$/.test(text) && !/[:|]|^[-*•–]/.test(text) && /[.!?:]$/.test(next.text);
}

/** "3.2 Deposits ........ 17" */
const contentsLine = /(?:\. ?){4,}\s*\d{0,4}$/;

const toPart = (text: string): TextPart => ({
  text: text.replaceAll(/\s+/g, ' ').trim(),
  words: contentWords(text),
});

/** The values of one entry of a list in JSON, such as the lines that begin with "rooms[3].", stay together. */
function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let entry = '';
  let lines: string[] = [];
  const endEntry = () => {
    if (lines.length > 0) parts.push({ ...toPart(lines.join('; ')), isEntry: true });
    lines = [];
  };
  for (const { text: sentence } of sentencesOf(text)) {
    const prefix = jsonEntry.exec(sentence)?.[0] ?? '';
    const isTooLong = lines.join('; ').length + sentence.length > candidateCharactersMax;
    if (prefix !== entry || isTooLong) endEntry();
    entry = prefix;
    if (prefix === '') parts.push(toPart(sentence));
    else lines.push(sentence.slice(prefix.length).replace(/^\./, ''));
  }
  endEntry();
  return parts;
}

// Numbers in brackets have parentheses in the passages that a model sees (fence.ts).
const jsonEntry = /^(?:[\w$-]{1,60}\.){0,3}[\w$-]{0,60}(?:\[\d{1,7}\]|\(\d{1,7}\))(?=[.:])/;

/** Joins a line that ends with a colon with the list or sentence after it. */
function withFollowing(parts: readonly TextPart[]): TextPart[] {
  const joined: TextPart[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    if (!part) break;
    joined.push(part);
    if (!part.text.endsWith(':')) continue;
    let announced = part.text;
    let entries = 0;
    for (const next of parts.slice(at + 1, at + 1 + announcedMax.entries)) {
      const isEntry = listEntry.test(next.text);
      if (announced.length + next.text.length > announcedMax.characters) break;
      if (entries > 0 && !isEntry) break;
      announced += ` ${next.text}`;
      entries += 1;
      if (!isEntry) break;
    }
    if (entries > 0) joined[joined.length - 1] = toPart(announced);
  }
  return joined;
}

const listEntry = /^(?:[-*•–]|\d{1,3}[.)])\s/;

// A row of a table contains its column headings and needs no context.
const isTableRow = ({ text }: { text: string }) => text.includes(' | ');
