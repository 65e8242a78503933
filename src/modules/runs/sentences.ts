/** A sentence and where it stands: `text` is exactly what stands there. */
export type Sentence = { text: string; start: number; end: number };

const segmenter = new Intl.Segmenter('de', { granularity: 'sentence' });

const wrappedLineLeast = 50;
const sentenceLengthMax = 600;

/**
 * The sentences of a passage. A row of a table or an entry of a list is one too; a line that was
 * only wrapped goes on.
 */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const { start, end } of stretchesOf(text)) {
    let open = start;
    for (const { index, segment } of segmenter.segment(
      text.slice(start, end).replaceAll('\n', ' '),
    )) {
      const until = start + index + segment.length;
      if (until < end && endsInAbbreviation(text, open, until)) continue;
      push(sentences, text, open, until);
      open = until;
    }
    push(sentences, text, open, end);
  }
  return sentences;
}

function push(sentences: Sentence[], text: string, start: number, end: number): void {
  const raw = text.slice(start, end);
  const trimmed = raw.trim();
  if (trimmed === '') return;
  const from = start + raw.indexOf(trimmed);
  sentences.push({ text: trimmed, start: from, end: from + trimmed.length });
}

/** Runs of lines that belong together. */
function stretchesOf(text: string): { start: number; end: number }[] {
  const stretches: { start: number; end: number }[] = [];
  let start = 0;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    const line = text.slice(lineStart, at);
    const next = text.slice(at + 1, at + 80);
    if (!goesOn(line, next) || at - start > sentenceLengthMax) {
      stretches.push({ start, end: at });
      start = at + 1;
    }
    lineStart = at + 1;
  }
  stretches.push({ start, end: text.length });
  return stretches;
}

const entry = /^\s*(?:[-*•–|#]|\d+[.)]\s)|^[^\n:|;,]{1,40}[:|]\s/;

const goesOn = (line: string, next: string): boolean =>
  next.trim() !== '' &&
  !entry.test(next) &&
  !/[.!?:]\s*$/.test(line) &&
  (/^\s*\p{Ll}/u.test(next) || (line.length >= wrappedLineLeast && !entry.test(line)));

const abbreviation =
  /(?:^|[\s(])(?:\p{L}|\d{1,2}|[Nn]r|[Nn]o|[Dd]r|[Pp]rof|[Aa]bs|[Aa]rt|[Zz]iff|bzw|ca|etc|usw|vgl|inkl|[Ss]t|[Mm]rs?|[Ff]ig|[Aa]bb|e\.g|i\.e|[Tt]el|[Kk]ap|[Mm]ax|[Mm]in)\.\s*$/u;

// The longest abbreviation and the characters around it are shorter.
const abbreviationCharactersMax = 16;

/** Looks at the end only: in "a. b. c. …" every segment goes on from the first. */
const endsInAbbreviation = (text: string, start: number, end: number): boolean =>
  abbreviation.test(text.slice(start, end).trimEnd().slice(-abbreviationCharactersMax));
