export type RtfToken =
  | { type: 'open' | 'close' }
  | { type: 'word'; name: string; value: number | undefined }
  /** A byte of the code page of the font. */
  | { type: 'byte'; byte: number }
  | { type: 'text'; text: string };

// The longest control word has 32 letters, and a number up to 10 digits.
const tailUnits = 64;
const pattern =
  /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)|\\/g;

/**
 * Divides RTF into its tokens. The pieces are of one byte for each character. Binary data, whose
 * length stands before it, is left out.
 */
export async function* rtfTokens(pieces: AsyncIterable<string>): AsyncGenerator<RtfToken[]> {
  let buffer = '';
  let binaryLeft = 0;

  function read(isLast: boolean): RtfToken[] {
    const tokens: RtfToken[] = [];
    const end = isLast ? buffer.length : buffer.length - tailUnits;
    pattern.lastIndex = 0;
    while (pattern.lastIndex < end) {
      const match = pattern.exec(buffer);
      if (!match) break;
      const [, name, number, hex, symbol, brace, text] = match;
      if (name !== undefined) {
        const value = number === undefined ? undefined : Number(number);
        if (name !== 'bin') tokens.push({ type: 'word', name, value });
        else if (value !== undefined && value > 0) {
          const skipped = Math.min(value, buffer.length - pattern.lastIndex);
          binaryLeft = value - skipped;
          pattern.lastIndex += skipped;
        }
      } else if (hex !== undefined) tokens.push({ type: 'byte', byte: Number.parseInt(hex, 16) });
      else if (symbol !== undefined) tokens.push({ type: 'word', name: symbol, value: undefined });
      else if (brace !== undefined) tokens.push({ type: brace === '{' ? 'open' : 'close' });
      else if (text !== undefined) tokens.push({ type: 'text', text });
    }
    buffer = buffer.slice(Math.min(pattern.lastIndex || end, buffer.length));
    return tokens;
  }

  for await (const piece of pieces) {
    const skipped = Math.min(binaryLeft, piece.length);
    binaryLeft -= skipped;
    buffer += piece.slice(skipped);
    if (buffer.length > tailUnits) yield read(false);
  }
  yield read(true);
}
