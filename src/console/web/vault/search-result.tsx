import { EmptyState, Notice } from '../ui/status.tsx';
import { formatMilliseconds } from './amounts.ts';
import type { PassageFragment, VaultSearchQuery } from './documents.ts';
import { PassageText } from './passage-text.tsx';
import { StageTable } from './stage-table.tsx';

type VaultSearchResult = VaultSearchQuery['vaultSearch'];

export function SearchResult({
  query,
  result: { passages, leftOut, candidates, nearDuplicates, belowLimit, notes, tookMs },
}: {
  query: string;
  result: VaultSearchResult;
}) {
  const bestPassage = passages[0];
  if (!bestPassage) {
    return (
      <>
        <EmptyState title="No results">
          No passage contains these words or has a similar meaning.
        </EmptyState>
        <ExcludedPassages passages={leftOut} bestScore={0} query={query} />
      </>
    );
  }
  return (
    <>
      <p className="vault-summary" role="status">
        <strong>
          {formatCount(passages.length, 'passage')} in {formatMilliseconds(tookMs)}.
        </strong>{' '}
        Keyword search found {candidates.keyword.toLocaleString()}, vector search{' '}
        {candidates.vector.toLocaleString()}; {candidates.distinct.toLocaleString()} of them are
        distinct. Excluded: {formatCount(nearDuplicates, 'near duplicate')},{' '}
        {belowLimit.toLocaleString()} below the limit.
      </p>
      {notes.map((note) => (
        <Notice key={note} tone="busy">
          {note}
        </Notice>
      ))}
      <ol className="plain-list">
        {passages.map((passage, index) => (
          <li key={`${passage.documentId}-${passage.ordinal}`}>
            <PassageCard
              rank={index + 1}
              passage={passage}
              bestScore={bestPassage.fused}
              query={query}
            />
          </li>
        ))}
      </ol>
      <ExcludedPassages passages={leftOut} bestScore={bestPassage.fused} query={query} />
    </>
  );
}

type PassageCardProps = {
  rank: number;
  passage: PassageFragment;
  bestScore: number;
  query: string;
};

function PassageCard({ rank, passage, bestScore, query }: PassageCardProps) {
  const { originalName, isPreviousVersion, page, headings, text, ordinal } = passage;
  return (
    <article className="card vault-passage">
      <div>
        <h3>
          {rank}. {originalName}
        </h3>
        <p className="hint">
          {isPreviousVersion && 'Previous version · '}
          {page !== null && `Page ${page} · `}
          passage {ordinal + 1}
          {headings.length > 0 && ` · ${headings.join(' › ')}`}
        </p>
        <PassageText text={text} query={query} />
      </div>
      <StageTable passage={passage} bestScore={bestScore} />
    </article>
  );
}

const formatCount = (amount: number, noun: string) =>
  `${amount.toLocaleString()} ${noun}${amount === 1 ? '' : 's'}`;

type ExcludedPassage = VaultSearchQuery['vaultSearch']['leftOut'][number];

/** The passages that a search found and did not return, with the reason. */
function ExcludedPassages({
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
      <ul className="vault-excluded plain-list">
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
