import type { Block } from './block.ts';
import { ExtractError } from './extract-error.ts';

const pathUnitsMax = 300;
const depthMax = 100_000;
const tokenUnitsMax = 64 * 1024 * 1024;

/**
 * JSON, also one value a line: a line "path: value" for each value, read as it comes, so that
 * neither size nor depth is held. Each entry of an outermost list, each list or object in an
 * outermost object, and each further document begins a paragraph.
 */
export async function* readJson(pieces: AsyncIterable<string>): AsyncGenerator<Block> {
  const path = new JsonPath();
  let isFirst = true;
  for await (const token of tokensOf(pieces)) {
    const value = path.take(token);
    if (value === null) continue;
    const label = path.label();
    const text = label === '' ? value : `${label}: ${value}`;
    const beginsParagraph = path.isNewEntry() || isFirst;
    yield beginsParagraph ? { kind: 'row', text } : { kind: 'row', text, joint: '\n' };
    isFirst = false;
  }
  path.end();
}

type Frame = { name: string | number | undefined };

/** Where in the document the reader stands. */
class JsonPath {
  #frames: Frame[] = [];
  #entries = 0;
  #told = -1;
  #expects: 'value' | 'name' | 'colon' | 'after' = 'value';

  /** The value as text, if the token is one. */
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
      this.#expects = 'after';
      return null;
    }
    if (token === ',' && frame && this.#expects === 'after') {
      this.#expects = typeof frame.name === 'number' ? 'value' : 'name';
      return null;
    }
    if (token === ':' && this.#expects === 'colon') {
      this.#expects = 'value';
      return null;
    }
    if (token === ',' || token === ':') throw new ExtractError('DAMAGED');
    if (this.#expects === 'name' && frame) {
      // A label shows no more of it, and is made anew for each value.
      frame.name = stringOf(token).slice(0, pathUnitsMax + 1);
      this.#expects = 'colon';
      return null;
    }
    this.#begin();
    this.#expects = 'after';
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

  /** Whether the value just taken is the first of its entry of the outermost list or object. */
  isNewEntry(): boolean {
    const isNew = this.#told !== this.#entries;
    this.#told = this.#entries;
    return isNew;
  }

  end(): void {
    if (this.#frames.length > 0) throw new ExtractError('DAMAGED');
  }

  /**
   * A value begins here: in a list it is the next one, outside of everything the next document of
   * several.
   */
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

/** Of numbers and words; strings may be longer. */
const plainTokenUnitsMax = 16 * 1024;

async function* tokensOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  // A string that goes on from piece to piece. Each piece is looked at once: together they may be
  // long.
  let begun: string[] = [];
  let begunUnits = 0;
  let isEscaped = false;
  for await (const piece of pieces) {
    let text = held + piece;
    if (begun.length > 0) {
      const { end, escaped } = endOfString(piece, 0, isEscaped);
      if (end === undefined) {
        begunUnits += piece.length;
        if (begunUnits > tokenUnitsMax) throw new ExtractError('TOO_COMPLEX');
        begun.push(piece);
        isEscaped = escaped;
        continue;
      }
      yield begun.join('') + piece.slice(0, end + 1);
      begun = [];
      text = piece.slice(end + 1);
    }
    held = yield* tokensIn(text);
    if (held.startsWith('"')) {
      begun = [held];
      begunUnits = held.length;
      isEscaped = endOfString(held, 1, false).escaped;
      held = '';
    } else if (held.length > plainTokenUnitsMax) throw new ExtractError('DAMAGED');
  }
  const rest = yield* tokensIn(`${held} `);
  if (begun.length > 0 || rest.trim() !== '') throw new ExtractError('DAMAGED');
}

/** The whole tokens of the text; gives back what is left. */
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

/** A string up to the quote that ends it, if that is there. */
function stringFrom(text: string, start: number): string | undefined {
  const { end } = endOfString(text, start + 1, false);
  return end === undefined ? undefined : text.slice(start, end + 1);
}

/**
 * Where the quote stands that ends a string; without one, whether a backslash stands last and
 * counts for what follows.
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
