export type TextItem = { str: string };
/** A part of the quote: the characters `from` to `to` of an item. */
export type QuotedItem = { index: number; from: number; to: number };

type Character = { index: number; at: number };

// A shorter beginning could stand anywhere on the page.
const lettersMin = 12;

/**
 * Finds a quote in the text of a page. Only letters and digits are compared, because spaces and
 * hyphens at the ends of lines differ. Of a quote that goes on on the next page, its beginning is
 * found.
 */
export function findQuote(items: readonly TextItem[], quote: string): QuotedItem[] {
  const characters: Character[] = [];
  let text = '';
  for (const [index, { str }] of items.entries()) {
    let at = 0;
    for (const character of str) {
      for (const letter of lettersOf(character)) {
        characters.push({ index, at });
        text += letter;
      }
      at += character.length;
    }
  }
  let wanted = lettersOf(quote).join('');
  let start = wanted === '' ? -1 : text.indexOf(wanted);
  while (start < 0 && wanted.length > lettersMin) {
    wanted = wanted.slice(0, -1);
    start = text.indexOf(wanted);
  }
  if (start < 0) return [];
  return joined(characters.slice(start, start + wanted.length), items);
}

// One code unit for each letter, so that offsets in the text are offsets in the list.
const lettersOf = (text: string): string[] =>
  [
    ...text
      .normalize('NFKD')
      .toLowerCase()
      .matchAll(/[\p{L}\p{N}]/gu),
  ].flatMap(([letter]) => letter.split(''));

function joined(characters: readonly Character[], items: readonly TextItem[]): QuotedItem[] {
  const found: QuotedItem[] = [];
  for (const { index, at } of characters) {
    const last = found.at(-1);
    if (last?.index === index) last.to = at + 1;
    else {
      // What stands between two quoted items of a line belongs to the quote as well.
      if (last) last.to = items[last.index]?.str.length ?? last.to;
      found.push({ index, from: last ? 0 : at, to: at + 1 });
    }
  }
  return found;
}
