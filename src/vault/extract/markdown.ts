import { blockUnitsMax, type TextBlock } from './block.ts';
import { columnNameOf, labelledRow } from './labelled-row.ts';
import { linesOf, type TextLine } from './text-lines.ts';

const headingStart = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const setext = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const delimiterCell = /^[ \t]*:?-+:?[ \t]*$/;

/**
 * Reads Markdown: headings without their marks, table rows with the headers of their columns.
 * Everything else, including lists and code, stays as it is written.
 */
export async function* readMarkdown(pieces: AsyncIterable<string>): AsyncGenerator<TextBlock> {
  const reader = new MarkdownReader();
  for await (const line of linesOf(pieces)) yield* reader.addLine(line);
  yield* reader.flush();
}

class MarkdownReader {
  #lines: string[] = [];
  #units = 0;
  #kind: 'paragraph' | 'code' = 'paragraph';
  /**
   * Set after a part of the current paragraph or code was yielded: '\n' if the part ended with a
   * complete line, '' if it ended inside a line.
   */
  #separator: '' | '\n' | undefined;
  #fence: string | undefined;
  #headers: string[] | undefined;
  #rows = 0;
  #isFirst = true;
  /** Inside front matter, a line of dashes does not make the line above it a heading. */
  #isFrontMatter = false;

  *addLine({ text, isContinuation }: TextLine): Generator<TextBlock> {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (isContinuation) return yield* this.#continueLine(text);
    if (this.#fence !== undefined) return yield* this.#takeCode(text);
    if (text.trim() === '') return yield* this.flush();
    if (isFirst && text.trimEnd() === '---') this.#isFrontMatter = true;
    else if (this.#isFrontMatter && /^(?:---|\.\.\.)\s*$/.test(text)) {
      yield* this.#add(text);
      return yield* this.flush();
    } else if (!this.#isFrontMatter) {
      const heading = headingStart.exec(text);
      if (heading)
        return yield* this.#heading(
          titleOf(text.slice(heading[0].length)),
          heading[1]?.length ?? 1,
        );
      if (
        setext.test(text) &&
        this.#lines.length > 0 &&
        this.#separator === undefined &&
        !this.#lastLine().includes('|')
      ) {
        const title = this.#lines.map((line) => line.trim()).join(' ');
        this.#reset();
        return yield* this.#heading(title, text.includes('=') ? 1 : 2);
      }
      const opening = fence.exec(text)?.[1];
      if (opening !== undefined) {
        yield* this.flush();
        this.#fence = opening;
        this.#kind = 'code';
      } else if (this.#headers) return yield* this.#takeRow(text);
      else if (text.includes('|') && isDelimiterRow(text) && this.#lastLine().includes('|'))
        return yield* this.#openTable();
    }
    yield* this.#add(text);
  }

  *flush(): Generator<TextBlock> {
    yield* this.#send();
    this.#reset();
  }

  #lastLine = (): string => this.#lines.at(-1) ?? '';

  #reset(): void {
    this.#lines = [];
    this.#units = 0;
    this.#kind = 'paragraph';
    this.#separator = undefined;
    this.#fence = undefined;
    this.#headers = undefined;
    this.#isFrontMatter = false;
  }

  *#send(): Generator<TextBlock> {
    const text = this.#lines.join('\n');
    if (text !== '')
      yield {
        kind: this.#kind,
        text,
        ...(this.#separator === undefined ? {} : { separator: this.#separator }),
      };
    this.#lines = [];
    this.#units = 0;
  }

  *#add(line: string): Generator<TextBlock> {
    if (this.#units + line.length > blockUnitsMax && this.#lines.length > 0) {
      yield* this.#send();
      this.#separator = '\n';
    }
    this.#lines.push(line);
    this.#units += line.length + 1;
  }

  *#continueLine(rest: string): Generator<TextBlock> {
    yield* this.#send();
    this.#separator = '';
    this.#lines.push(rest);
    this.#units = rest.length + 1;
  }

  *#heading(title: string, level: number): Generator<TextBlock> {
    yield* this.flush();
    if (title.trim() !== '') yield { kind: 'heading', text: title.trim(), level };
  }

  *#takeCode(line: string): Generator<TextBlock> {
    yield* this.#add(line);
    const closing = fence.exec(line)?.[1];
    if (closing && this.#fence && closing.startsWith(this.#fence) && line.trim() === closing)
      yield* this.flush();
  }

  *#openTable(): Generator<TextBlock> {
    const headers = cellsOf(this.#lines.pop() ?? '').map(columnNameOf);
    yield* this.flush();
    this.#headers = headers;
    this.#rows = 0;
  }

  *#takeRow(line: string): Generator<TextBlock> {
    const row = labelledRow(this.#headers ?? null, cellsOf(line), this.#rows === 0);
    if (row) yield row;
    this.#rows++;
  }
}

/**
 * Returns the text of a heading without closing marks. This uses no regular expression, because one
 * that allows spaces in three positions takes exponential time for a line of spaces.
 */
function titleOf(rest: string): string {
  const title = rest.trim();
  let end = title.length;
  while (title[end - 1] === '#') end--;
  return end === 0 || /[ \t]/.test(title[end - 1] ?? '') ? title.slice(0, end).trimEnd() : title;
}

const isDelimiterRow = (line: string): boolean =>
  insideBars(line)
    .split('|')
    .every((cell) => delimiterCell.test(cell));

const insideBars = (line: string): string => line.trim().replace(/^\|/, '').replace(/\|$/, '');

/** A literal bar in a cell is written as `\|`. */
const cellsOf = (line: string): string[] =>
  insideBars(line)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim());
