const titleCharacters = 80;

/** The beginning of a question as a title, cut at a word. Undefined if the question has no text. */
export function titleOf(question: string): string | undefined {
  const [start = ''] = /^[^\n\r]*/.exec(question.trim().slice(0, 4 * titleCharacters)) ?? [];
  const text = start
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  const characters = [...text];
  if (characters.length <= titleCharacters) return text === '' ? undefined : text;
  const cut = characters.slice(0, titleCharacters).join('');
  const lastSpace = cut.lastIndexOf(' ');
  return `${(lastSpace > titleCharacters / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`;
}
