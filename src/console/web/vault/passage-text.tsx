import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { MarkedText } from './marked-text.tsx';

/** As much as shows what it is about. */
const shortUnits = 320;

/** The words of a passage; a long one shows its beginning first, so that many can be compared. */
export function PassageText({ text, query }: { text: string; query: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > shortUnits;
  return (
    <>
      <p className="vault-text">
        <MarkedText
          text={
            isLong && !isWhole ? `${text.slice(0, shortUnits).toWellFormed().trimEnd()} …` : text
          }
          query={query}
        />
      </p>
      {isLong && (
        <Button kind="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show all of it'}
        </Button>
      )}
    </>
  );
}
