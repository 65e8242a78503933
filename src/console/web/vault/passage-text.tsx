import { useState } from 'react';
import { t } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';

/** Long enough to show what a passage is about. */
const previewCharacters = 320;

/** The text of a passage. A long one is collapsed at first, so that passages can be compared. */
export function PassageText({ text, query }: { text: string; query: string }) {
  const [isExpanded, setExpanded] = useState(false);
  const isLong = text.length > previewCharacters;
  return (
    <>
      <p className="vault-text">
        <MarkedText
          text={
            isLong && !isExpanded
              ? `${text.slice(0, previewCharacters).toWellFormed().trimEnd()} …`
              : text
          }
          query={query}
        />
      </p>
      {isLong && (
        <Button kind="quiet" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? t('vault.showLess') : t('vault.showAll')}
        </Button>
      )}
    </>
  );
}

const wordPattern = /([\p{L}\p{N}][\p{L}\p{N}\p{M}]*)/u;

/** Normalizes a word like the keyword search does: case and accents are ignored. */
const normalizeWord = (word: string) =>
  word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Splits a text into words and the text between them, alternating. */
const splitWords = (text: string) =>
  text.split(wordPattern).map((piece, index) => ({ piece, isWord: index % 2 === 1, at: index }));

/** A text with the words of the query highlighted. */
function MarkedText({ text, query }: { text: string; query: string }) {
  const queryWords = new Set(
    splitWords(query).flatMap(({ piece, isWord }) => (isWord ? [normalizeWord(piece)] : [])),
  );
  return splitWords(text).map(({ piece, isWord, at }) =>
    isWord && queryWords.has(normalizeWord(piece)) ? <mark key={at}>{piece}</mark> : piece,
  );
}
