/**
 * Markup that may be written as it is. Only `html` makes it, and it escapes whatever else is put
 * in.
 */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = Html | string | number | readonly Part[];

export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(texts.reduce((before, text, index) => before + markupOf(parts[index - 1] ?? '') + text));

/** A paragraph of CommonMark in which only code is marked. */
export const paragraph = (text: string): Html =>
  html`<p>${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}</p>`;

function markupOf(part: Part): string {
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(markupOf).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
