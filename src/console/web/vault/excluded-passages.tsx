import type { VaultSearchQuery } from './documents.ts';
import { PassageText } from './passage-text.tsx';
import { StageTable } from './stage-table.tsx';

type ExcludedPassage = VaultSearchQuery['vaultSearch']['leftOut'][number];

/** The passages that a search found and did not return, with the reason. */
export function ExcludedPassages({
  passages,
  bestScore,
  query,
}: {
  passages: readonly ExcludedPassage[];
  bestScore: number;
  query: string;
}) {
  if (passages.length === 0) return null;
  return (
    <details className="card">
      <summary>
        <strong>Excluded passages</strong>{' '}
        <span className="hint">best {passages.length.toLocaleString()}</span>
      </summary>
      <ul className="vault-excluded">
        {passages.map((excluded) => (
          <li
            key={`${excluded.reason}-${excluded.passage.originalName}-${excluded.passage.documentId}-${excluded.passage.ordinal}`}
          >
            <h3>{excluded.passage.originalName ?? 'Deleted file'}</h3>
            <p className="hint">
              Passage {excluded.passage.ordinal + 1}: {reasonText(excluded)}
            </p>
            <PassageText text={excluded.passage.text} query={query} />
            <StageTable passage={excluded.passage} bestScore={bestScore} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function reasonText({ reason, like }: ExcludedPassage): string {
  if (reason === 'NO_FILE') return 'its file was deleted, and the vault will remove it soon.';
  if (reason === 'BELOW_LIMIT') return 'it is below the requested number of passages.';
  return like
    ? `it is nearly identical to passage ${like.ordinal + 1} of ${like.originalName ?? 'a better file'}.`
    : 'it is nearly identical to a better passage.';
}
