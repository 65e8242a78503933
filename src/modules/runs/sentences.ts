/** A sentence with its offsets. `text` is exactly the text between them. */
export type Sentence = { text: string; start: number; end: number };

const segmenter = new Intl.Segmenter('de', { granularity: 'sentence' });

const wrappedLineCharactersMin = 50;
const blockCharactersMax = 600;

/**
 * Splits a passage into sentences. A row of a table and an entry of a list count as a sentence. A
 * wrapped line continues on the next line.
 */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const { start, end } of blocksOf(text)) {
    let sentenceStart = start;
    for (const { index, segment } of segmenter.segment(
      text.slice(start, end).replaceAll('\n', ' '),
    )) {
      const segmentEnd = start + index + segment.length;
      if (segmentEnd < end && endsInAbbreviation(text, sentenceStart, segmentEnd)) continue;
      pushSentence(sentences, text, sentenceStart, segmentEnd);
      sentenceStart = segmentEnd;
    }
    pushSentence(sentences, text, sentenceStart, end);
  }
  return sentences;
}

function pushSentence(sentences: Sentence[], text: string, start: number, end: number): void {
  const raw = text.slice(start, end);
  const trimmed = raw.trim();
  if (trimmed === '') return;
  const from = start + raw.indexOf(trimmed);
  sentences.push({ text: trimmed, start: from, end: from + trimmed.length });
}

/** Groups of lines that belong together. */
function blocksOf(text: string): { start: number; end: number }[] {
  const blocks: { start: number; end: number }[] = [];
  let start = 0;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    const line = text.slice(lineStart, at);
    const next = text.slice(at + 1, at + 80);
    if (!continuesOn(line, next) || at - start > blockCharactersMax) {
      blocks.push({ start, end: at });
      start = at + 1;
    }
    lineStart = at + 1;
  }
  blocks.push({ start, end: text.length });
  return blocks;
}

const listEntry = /^\s*(?:[-*•–|#]|\d+[.)]\s)|^[^\n:|;,]{1,40}[:|]\s/;

const continuesOn = (line: string, next: string): boolean =>
  next.trim() !== '' &&
  !listEntry.test(next) &&
  !/[.!?:]\s*$/.test(line) &&
  (/^\s*\p{Ll}/u.test(next) || (line.length >= wrappedLineCharactersMin && !listEntry.test(line)));

const abbreviation =
  /(?:^|[\s(])(?:\p{L}|\d{1,2}|[Nn]r|[Nn]o|[Dd]r|[Pp]rof|[Aa]bs|[Aa]rt|[Zz]iff|bzw|ca|etc|usw|vgl|inkl|[Ss]t|[Mm]rs?|[Ff]ig|[Aa]bb|e\.g|i\.e|[Tt]el|[Kk]ap|[Mm]ax|[Mm]in)\.\s*$/u;

// Longer than the longest abbreviation with the characters around it.
const abbreviationCharactersMax = 16;

/**
 * Tests only the end of the text: in "a. b. c. …" every segment ends in an abbreviation, and
 * testing the complete text each time would cost its square.
 */
const endsInAbbreviation = (text: string, start: number, end: number): boolean =>
  abbreviation.test(text.slice(start, end).trimEnd().slice(-abbreviationCharactersMax));
