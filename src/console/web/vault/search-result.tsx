import { EmptyState } from '../ui/empty-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { millisecondsOf } from './amounts.ts';
import type { PassageFragment, VaultSearchQuery } from './documents.ts';
import { ExcludedPassages } from './excluded-passages.tsx';
import { PassageText } from './passage-text.tsx';
import { StageTable } from './stage-table.tsx';

type Found = VaultSearchQuery['vaultSearch'];

export function SearchResult({
  query,
  found: { passages, leftOut, candidates, nearDuplicates, belowLimit, notes, tookMs },
}: {
  query: string;
  found: Found;
}) {
  const best = passages[0];
  if (!best) {
    return (
      <>
        <EmptyState title="Nothing fits">
          No passage of these files holds such words, and none is near.
        </EmptyState>
        <ExcludedPassages passages={leftOut} best={0} query={query} />
      </>
    );
  }
  return (
    <>
      <p className="vault-summary" role="status">
        <strong>
          {count(passages.length, 'passage')} in {millisecondsOf(tookMs)}.
        </strong>{' '}
        Words found {candidates.keyword.toLocaleString()}, vectors{' '}
        {candidates.vector.toLocaleString()}; together {candidates.distinct.toLocaleString()} that
        say something of their own. Left out: {count(nearDuplicates, 'near duplicate')},{' '}
        {belowLimit.toLocaleString()} below the limit.
      </p>
      {notes.map((note) => (
        <Notice key={note} tone="busy">
          {note}
        </Notice>
      ))}
      <ol className="vault-found">
        {passages.map((passage, index) => (
          <li key={`${passage.documentId}-${passage.ordinal}`}>
            <PassageCard place={index + 1} passage={passage} best={best.fused} query={query} />
          </li>
        ))}
      </ol>
      <ExcludedPassages passages={leftOut} best={best.fused} query={query} />
    </>
  );
}

type PassageCardProps = { place: number; passage: PassageFragment; best: number; query: string };

function PassageCard({ place, passage, best, query }: PassageCardProps) {
  const { originalName, isPreviousVersion, page, headings, text, ordinal } = passage;
  return (
    <article className="card vault-passage">
      <div>
        <h3>
          {place}. {originalName}
        </h3>
        <p className="hint">
          {isPreviousVersion && 'Previous version · '}
          {page !== null && `Page ${page} · `}
          passage {ordinal + 1}
          {headings.length > 0 && ` · ${headings.join(' › ')}`}
        </p>
        <PassageText text={text} query={query} />
      </div>
      <StageTable passage={passage} best={best} />
    </article>
  );
}

const count = (amount: number, thing: string) =>
  `${amount.toLocaleString()} ${thing}${amount === 1 ? '' : 's'}`;
