import { type Block, blockUnitsMax } from './block.ts';
import { columnNameOf, labelledRow } from './labelled-row.ts';
import { type Line, linesOf } from './text-lines.ts';

const headingStart = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const setext = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const delimiterCell = /^[ \t]*:?-+:?[ \t]*$/;

/**
 * Markdown: headings without their marks, rows of tables with the heads of their columns; all else,
 * lists and code too, as it is written.
 */
export async function* readMarkdown(pieces: AsyncIterable<string>): AsyncGenerator<Block> {
  const reader = new MarkdownReader();
  for await (const line of linesOf(pieces)) yield* reader.take(line);
  yield* reader.flush();
}

class MarkdownReader {
  #lines: string[] = [];
  #units = 0;
  #kind: 'paragraph' | 'code' = 'paragraph';
  /** Part of this paragraph or code has gone already, and ended with a whole line or inside one. */
  #joint: '' | '\n' | undefined;
  #fence: string | undefined;
  #heads: string[] | undefined;
  #rows = 0;
  #isFirst = true;
  /** Between the lines of dashes at the very top, a line of dashes makes no heading. */
  #isFrontMatter = false;

  *take({ text, goesOn }: Line): Generator<Block> {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (goesOn) return yield* this.#goOn(text);
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
        this.#joint === undefined &&
        !this.#last().includes('|')
      ) {
        const title = this.#lines.map((line) => line.trim()).join(' ');
        this.#empty();
        return yield* this.#heading(title, text.includes('=') ? 1 : 2);
      }
      const opening = fence.exec(text)?.[1];
      if (opening !== undefined) {
        yield* this.flush();
        this.#fence = opening;
        this.#kind = 'code';
      } else if (this.#heads) return yield* this.#takeRow(text);
      else if (text.includes('|') && isDelimiterRow(text) && this.#last().includes('|'))
        return yield* this.#openTable();
    }
    yield* this.#add(text);
  }

  *flush(): Generator<Block> {
    yield* this.#send();
    this.#empty();
  }

  #last = (): string => this.#lines.at(-1) ?? '';

  #empty(): void {
    this.#lines = [];
    this.#units = 0;
    this.#kind = 'paragraph';
    this.#joint = undefined;
    this.#fence = undefined;
    this.#heads = undefined;
    this.#isFrontMatter = false;
  }

  *#send(): Generator<Block> {
    const text = this.#lines.join('\n');
    if (text !== '')
      yield {
        kind: this.#kind,
        text,
        ...(this.#joint === undefined ? {} : { joint: this.#joint }),
      };
    this.#lines = [];
    this.#units = 0;
  }

  *#add(line: string): Generator<Block> {
    if (this.#units + line.length > blockUnitsMax && this.#lines.length > 0) {
      yield* this.#send();
      this.#joint = '\n';
    }
    this.#lines.push(line);
    this.#units += line.length + 1;
  }

  *#goOn(rest: string): Generator<Block> {
    yield* this.#send();
    this.#joint = '';
    this.#lines.push(rest);
    this.#units = rest.length + 1;
  }

  *#heading(title: string, level: number): Generator<Block> {
    yield* this.flush();
    if (title.trim() !== '') yield { kind: 'heading', text: title.trim(), level };
  }

  *#takeCode(line: string): Generator<Block> {
    yield* this.#add(line);
    const closing = fence.exec(line)?.[1];
    if (closing && this.#fence && closing.startsWith(this.#fence) && line.trim() === closing)
      yield* this.flush();
  }

  *#openTable(): Generator<Block> {
    const heads = cellsOf(this.#lines.pop() ?? '').map(columnNameOf);
    yield* this.flush();
    this.#heads = heads;
    this.#rows = 0;
  }

  *#takeRow(line: string): Generator<Block> {
    const row = labelledRow(this.#heads ?? null, cellsOf(line), this.#rows === 0);
    if (row) yield row;
    this.#rows++;
  }
}

/**
 * The words of a heading without the marks that may close it. No pattern: one that allows blanks in
 * three ways takes years for a line of blanks.
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

/** A bar is written `\|` in a cell. */
const cellsOf = (line: string): string[] =>
  insideBars(line)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim());
