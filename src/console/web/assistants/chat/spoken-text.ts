/** The rendered texts of an answer, without its reasoning and its tool calls. */
export const answerTexts = '.assistants-prose';

const blocks = 'p, li, th, td, h3, h4, h5, h6, pre, blockquote, figure';
// Buttons cite and copy. Of a formula only the MathML is read, and not its source.
const unspoken = 'button, figcaption, [aria-hidden="true"], annotation';

/** What a screen reader reads of rendered Markdown from beginning to end. */
export function spokenText(element: Element): string {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let text = '';
  let block: Element | null = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest(unspoken)) continue;
    const ownBlock = node.parentElement?.closest(blocks) ?? null;
    // Cells and paragraphs have no white space between them.
    if (ownBlock !== block) text += ' ';
    block = ownBlock;
    text += node.textContent;
  }
  return text.replaceAll(/\s+/g, ' ').trim();
}
