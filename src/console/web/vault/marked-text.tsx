const wordPattern = /([\p{L}\p{N}][\p{L}\p{N}\p{M}]*)/u;

/** Normalizes a word like the keyword search does: case and accents are ignored. */
const normalizeWord = (word: string) =>
  word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Splits a text into words and the text between them, alternating. */
const splitWords = (text: string) =>
  text.split(wordPattern).map((piece, index) => ({ piece, isWord: index % 2 === 1, at: index }));

/** A text with the words of the query highlighted. */
export function MarkedText({ text, query }: { text: string; query: string }) {
  const queryWords = new Set(
    splitWords(query).flatMap(({ piece, isWord }) => (isWord ? [normalizeWord(piece)] : [])),
  );
  return splitWords(text).map(({ piece, isWord, at }) =>
    isWord && queryWords.has(normalizeWord(piece)) ? <mark key={at}>{piece}</mark> : piece,
  );
}
