import { pipe } from 'stream-chain/utils/pipe.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
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
}

/** Tracks the current path in the document: the index in each open list, the name in each object. */
class JsonPath {
  #names: (string | number)[] = [];
  #entries = 0;
  #reportedEntries = -1;

  /** Takes the next token. Returns the value as text if the token is a value, otherwise null. */
  take(token: Token): string | null {
    switch (token.name) {
      case 'startObject':
      case 'startArray':
        this.#begin();
        if (this.#names.length === 1) this.#entries++;
        if (this.#names.length >= depthMax) throw new ExtractError('TOO_COMPLEX');
        this.#names.push(token.name === 'startArray' ? -1 : '');
        return null;
      case 'endObject':
      case 'endArray':
        this.#names.pop();
        if (this.#names.length === 1) this.#entries++;
        return null;
      case 'keyValue':
        // Cut to the length of a label, because every value builds its label again.
        this.#names[this.#names.length - 1] = token.value.slice(0, pathUnitsMax + 1);
        return null;
      default:
        this.#begin();
        return 'value' in token ? String(token.value) : null;
    }
  }

  label(): string {
    let label = '';
    for (const name of this.#names) {
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

  /** Starts a value: the next entry of a list, or, outside of everything, the next document. */
  #begin(): void {
    const name = this.#names.at(-1);
    if (typeof name === 'number') this.#names[this.#names.length - 1] = name + 1;
    if (this.#names.length === 0 || (this.#names.length === 1 && typeof name === 'number'))
      this.#entries++;
  }
}

/** The tokens of JSON. A number stays the text that it is, with all its digits. */
async function* tokensOf(pieces: AsyncIterable<string>): AsyncGenerator<Token> {
  let openUnits = 0;
  async function* limited() {
    for await (const piece of pieces) {
      openUnits += piece.length;
      if (openUnits > tokenUnitsMax) throw new ExtractError('TOO_COMPLEX');
      yield piece;
    }
  }
  const parser = jsonParser({ streamValues: false, jsonStreaming: true });
  try {
    for await (const token of pipe(limited, parser)<Token>()) {
      openUnits = 0;
      yield token;
    }
  } catch (error) {
    throw error instanceof ExtractError ? error : new ExtractError('DAMAGED');
  }
}
