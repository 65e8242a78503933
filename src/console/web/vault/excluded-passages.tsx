import type { VaultSearchQuery } from './documents.ts';
import { PassageText } from './passage-text.tsx';
import { StageTable } from './stage-table.tsx';

type ExcludedPassage = VaultSearchQuery['vaultSearch']['leftOut'][number];

/** What a search did not give, and why, for who wonders where a passage is. */
export function ExcludedPassages({
  passages,
  best,
  query,
}: {
  passages: readonly ExcludedPassage[];
  best: number;
  query: string;
}) {
  if (passages.length === 0) return null;
  return (
    <details className="card">
      <summary>
        <strong>What was left out, and why</strong>{' '}
        <span className="hint">the best {passages.length.toLocaleString()}</span>
      </summary>
      <ul className="vault-left-out">
        {passages.map((left) => (
          <li
            key={`${left.reason}-${left.passage.originalName}-${left.passage.documentId}-${left.passage.ordinal}`}
          >
            <h3>{left.passage.originalName ?? 'A file that is gone'}</h3>
            <p className="hint">
              Passage {left.passage.ordinal + 1}: {reasonOf(left)}
            </p>
            <PassageText text={left.passage.text} query={query} />
            <StageTable passage={left.passage} best={best} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function reasonOf({ reason, like }: ExcludedPassage): string {
  if (reason === 'NO_FILE') return 'its file was deleted; the vault forgets it soon.';
  if (reason === 'BELOW_LIMIT') return 'others were better, and no more were asked for.';
  return like
    ? `it says what passage ${like.ordinal + 1} of ${like.originalName ?? 'a better file'} says.`
    : 'it says what a better passage says.';
}
