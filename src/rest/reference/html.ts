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

/** Text of CommonMark in which code is the only markup. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;

export const paragraph = (text: string): Html => html`<p>${prose(text)}</p>`;

function markupOf(part: HtmlPart): string {
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(markupOf).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
