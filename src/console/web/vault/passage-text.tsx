import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { MarkedText } from './marked-text.tsx';

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
          {isExpanded ? 'Show less' : 'Show all'}
        </Button>
      )}
    </>
  );
}
