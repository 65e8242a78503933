const wordPattern = /([\p{L}\p{N}][\p{L}\p{N}\p{M}]*)/u;

/** As the search for words compares: whatever the case and the accents. */
const folded = (word: string) => word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** What stands between words and the words themselves, in turn. */
const piecesOf = (text: string) =>
  text.split(wordPattern).map((piece, index) => ({ piece, isWord: index % 2 === 1, at: index }));

/** A text in which the words of a question stand out. */
export function MarkedText({ text, query }: { text: string; query: string }) {
  const wanted = new Set(
    piecesOf(query).flatMap(({ piece, isWord }) => (isWord ? [folded(piece)] : [])),
  );
  return piecesOf(text).map(({ piece, isWord, at }) =>
    isWord && wanted.has(folded(piece)) ? <mark key={at}>{piece}</mark> : piece,
  );
}
