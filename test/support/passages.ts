import type { EmbeddedPassage } from '../../src/vault/passage.ts';

/** A simple vector of a text: the frequency of its letters. */
export function vectorOf(text: string, dimensions = 8): Float32Array {
  const vector = new Float32Array(dimensions).fill(0.01);
  for (const letter of text) {
    const index = (letter.codePointAt(0) ?? 0) % dimensions;
    vector[index] = (vector[index] ?? 0) + 1;
  }
  return vector;
}

export async function* passagesOf(
  texts: readonly string[],
  dimensions = 8,
): AsyncGenerator<EmbeddedPassage> {
  for (const [ordinal, text] of texts.entries())
    yield {
      ordinal,
      text,
      page: ordinal + 1,
      headings: ['Heading'],
      start: ordinal * 1000,
      end: ordinal * 1000 + text.length,
      vector: vectorOf(text, dimensions),
    };
}
