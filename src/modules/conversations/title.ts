import { cutText } from '../../platform/cut-text.ts';
import { isVisible, withoutDirectionControls } from '../../platform/plain-text.ts';

const titleCharacters = 80;

/**
 * The beginning of a question as a title, cut at a word. Undefined if the question has no text. Like
 * a title that a person gives, it has no marks that turn the direction of the text around it.
 */
export function titleOf(question: string): string | undefined {
  const [start = ''] = /^[^\n\r]*/.exec(question.trim().slice(0, 4 * titleCharacters)) ?? [];
  const text = withoutDirectionControls(start)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  if (!isVisible(text)) return undefined;
  const cut = cutText(text, titleCharacters);
  if (cut === text) return text;
  const lastSpace = cut.lastIndexOf(' ');
  return `${(lastSpace > titleCharacters / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`;
}
