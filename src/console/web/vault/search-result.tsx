import { EmptyState } from '../ui/empty-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { formatMilliseconds } from './amounts.ts';
import type { PassageFragment, VaultSearchQuery } from './documents.ts';
import { ExcludedPassages } from './excluded-passages.tsx';
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
      <ol className="vault-results">
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
