/** Safe markup. Only `html` creates it, and it escapes every value that is not safe markup. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type HtmlPart = Html | string | number | readonly HtmlPart[];

export const html = (texts: TemplateStringsArray, ...parts: HtmlPart[]): Html =>
  new Html(texts.reduce((before, text, index) => before + markupOf(parts[index - 1] ?? '') + text));

/** A paragraph of CommonMark in which code is the only markup. */
export const paragraph = (text: string): Html =>
  html`<p>${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}</p>`;

function markupOf(part: HtmlPart): string {
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(markupOf).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
