import type { TextBlock } from './block.ts';
import { ExtractError } from './extract-error.ts';

const pathUnitsMax = 300;
const depthMax = 100_000;
const tokenUnitsMax = 64 * 1024 * 1024;

/**
 * Reads JSON or JSON lines. Each value gives a line "path: value". Values are read as they arrive,
 * so memory depends neither on the size nor on the depth of the document. A paragraph begins at
 * each entry of a top-level list, at each list or object in a top-level object, and at each further
 * document.
 */
export async function* readJson(pieces: AsyncIterable<string>): AsyncGenerator<TextBlock> {
  const path = new JsonPath();
  let isFirst = true;
  for await (const token of tokensOf(pieces)) {
    const value = path.take(token);
    if (value === null) continue;
    const label = path.label();
    const text = label === '' ? value : `${label}: ${value}`;
    const beginsParagraph = path.isNewEntry() || isFirst;
    yield beginsParagraph ? { kind: 'row', text } : { kind: 'row', text, separator: '\n' };
    isFirst = false;
  }
  path.end();
}

type JsonFrame = { name: string | number | undefined };

/** Tracks the current path in the document. */
class JsonPath {
  #frames: JsonFrame[] = [];
  #entries = 0;
  #reportedEntries = -1;
  #expects: 'value' | 'name' | 'colon' | 'separator' = 'value';

  /** Takes the next token. Returns the value as text if the token is a value, otherwise null. */
  take(token: string): string | null {
    const frame = this.#frames.at(-1);
    if (token === '{' || token === '[') {
      this.#begin();
      if (this.#frames.length === 1) this.#entries++;
      if (this.#frames.length >= depthMax) throw new ExtractError('TOO_COMPLEX');
      this.#frames.push({ name: token === '[' ? -1 : undefined });
      this.#expects = token === '{' ? 'name' : 'value';
      return null;
    }
    if (token === '}' || token === ']') {
      if (!frame || (token === ']') !== (typeof frame.name === 'number'))
        throw new ExtractError('DAMAGED');
      this.#frames.pop();
      if (this.#frames.length === 1) this.#entries++;
      this.#expects = 'separator';
      return null;
    }
    if (token === ',' && frame && this.#expects === 'separator') {
      this.#expects = typeof frame.name === 'number' ? 'value' : 'name';
      return null;
    }
    if (token === ':' && this.#expects === 'colon') {
      this.#expects = 'value';
      return null;
    }
    if (token === ',' || token === ':') throw new ExtractError('DAMAGED');
    if (this.#expects === 'name' && frame) {
      // Cut to the length of a label, because every value builds its label again.
      frame.name = stringOf(token).slice(0, pathUnitsMax + 1);
      this.#expects = 'colon';
      return null;
    }
    this.#begin();
    this.#expects = 'separator';
    return token.startsWith('"') ? stringOf(token) : token;
  }

  label(): string {
    let label = '';
    for (const { name } of this.#frames) {
      label += typeof name === 'number' ? `[${name}]` : `${label === '' ? '' : '.'}${name}`;
      if (label.length > pathUnitsMax) return `${label.slice(0, pathUnitsMax).toWellFormed()}…`;
    }
    return label;
  }

  /** Whether the last value is the first of its entry in the top-level list or object. */
  isNewEntry(): boolean {
    const isNew = this.#reportedEntries !== this.#entries;
    this.#reportedEntries = this.#entries;
    return isNew;
  }

  end(): void {
    if (this.#frames.length > 0) throw new ExtractError('DAMAGED');
  }

  /** Starts a value: the next entry of a list, or, outside of everything, the next document. */
  #begin(): void {
    const frame = this.#frames.at(-1);
    if (frame && this.#expects !== 'value') throw new ExtractError('DAMAGED');
    if (frame && typeof frame.name === 'number') frame.name++;
    if (this.#frames.length === 0 || (this.#frames.length === 1 && typeof frame?.name === 'number'))
      this.#entries++;
  }
}

function stringOf(token: string): string {
  try {
    const value: unknown = JSON.parse(token);
    if (typeof value === 'string') return value;
  } catch (fault) {
    if (!(fault instanceof SyntaxError)) throw fault;
  }
  throw new ExtractError('DAMAGED');
}

const tokenForm = /[ \t\n]+|[{}[\],:]|(?:-?\d[\d.eE+-]*|true|false|null)(?=[\s{}[\],:"])/y;

/** The maximum for numbers and literals. Strings may be longer. */
const plainTokenUnitsMax = 16 * 1024;

async function* tokensOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let unparsed = '';
  // The parts of a string that continues over several pieces. Each piece is scanned only once,
  // because the string may be long.
  let openString: string[] = [];
  let openStringUnits = 0;
  let isEscaped = false;
  for await (const piece of pieces) {
    let text = unparsed + piece;
    if (openString.length > 0) {
      const { end, escaped } = endOfString(piece, 0, isEscaped);
      if (end === undefined) {
        openStringUnits += piece.length;
        if (openStringUnits > tokenUnitsMax) throw new ExtractError('TOO_COMPLEX');
        openString.push(piece);
        isEscaped = escaped;
        continue;
      }
      yield openString.join('') + piece.slice(0, end + 1);
      openString = [];
      text = piece.slice(end + 1);
    }
    unparsed = yield* tokensIn(text);
    if (unparsed.startsWith('"')) {
      openString = [unparsed];
      openStringUnits = unparsed.length;
      isEscaped = endOfString(unparsed, 1, false).escaped;
      unparsed = '';
    } else if (unparsed.length > plainTokenUnitsMax) throw new ExtractError('DAMAGED');
  }
  const rest = yield* tokensIn(`${unparsed} `);
  if (openString.length > 0 || rest.trim() !== '') throw new ExtractError('DAMAGED');
}

/** Yields the complete tokens of a text and returns the rest. */
function* tokensIn(text: string): Generator<string, string> {
  let at = 0;
  for (;;) {
    tokenForm.lastIndex = at;
    const token = text[at] === '"' ? stringFrom(text, at) : tokenForm.exec(text)?.[0];
    if (token === undefined) break;
    at += token.length;
    if (token.trim() !== '') yield token;
  }
  const rest = text.slice(at);
  if (rest !== '' && !/^["\d\-tfn]/.test(rest)) throw new ExtractError('DAMAGED');
  return rest;
}

/** Returns the string that begins at `start`, or undefined if its closing quote is missing. */
function stringFrom(text: string, start: number): string | undefined {
  const { end } = endOfString(text, start + 1, false);
  return end === undefined ? undefined : text.slice(start, end + 1);
}

/**
 * Finds the closing quote of a string. Without one, `escaped` says whether the text ends with a
 * backslash that escapes the next character.
 */
function endOfString(
  text: string,
  from: number,
  isEscaped: boolean,
): { end?: number; escaped: boolean } {
  let escaped = isEscaped;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (escaped) escaped = false;
    else if (unit === 0x5c) escaped = true;
    else if (unit === 0x22) return { end: at, escaped };
  }
  return { escaped };
}
