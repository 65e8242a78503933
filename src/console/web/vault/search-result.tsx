import { EmptyState } from '../ui/empty-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { millisecondsOf } from './amounts.ts';
import type { PassageFragment, VaultSearchQuery } from './documents.ts';
import { LeftOut } from './left-out.tsx';
import { StageTable } from './stage-table.tsx';

type Found = VaultSearchQuery['vaultSearch'];

export function SearchResult({ found: { passages, leftOut, candidates, nearDuplicates, belowLimit, notes, tookMs } }: { found: Found }) {
  const best = passages[0];
  if (!best) {
    return (
      <>
        <EmptyState title="Nothing fits">No passage of these files holds such words, and none is near.</EmptyState>
        <LeftOut passages={leftOut} best={0} />
      </>
    );
  }
  return (
    <>
      <p className="vault-summary">
        <strong>
          {count(passages.length, 'passage')} in {millisecondsOf(tookMs)}.
        </strong>{' '}
        Words found {candidates.keyword.toLocaleString()}, vectors {candidates.vector.toLocaleString()}; together {candidates.distinct.toLocaleString()} that
        say something of their own. Left out: {count(nearDuplicates, 'near duplicate')}, {belowLimit.toLocaleString()} below the limit.
      </p>
      {notes.map((note) => (
        <Notice key={note} tone="busy">
          {note}
        </Notice>
      ))}
      <ol className="vault-found">
        {passages.map((passage) => (
          <li key={`${passage.documentId}-${passage.ordinal}`}>
            <PassageCard passage={passage} best={best.fused} />
          </li>
        ))}
      </ol>
      <LeftOut passages={leftOut} best={best.fused} />
    </>
  );
}

function PassageCard({ passage, best }: { passage: PassageFragment; best: number }) {
  const { originalName, page, headings, text, ordinal } = passage;
  return (
    <article className="card">
      <h3>{originalName}</h3>
      <p className="hint">
        {page !== null && `Page ${page} · `}
        passage {ordinal + 1}
        {headings.length > 0 && ` · ${headings.join(' › ')}`}
      </p>
      <p className="vault-text">{text}</p>
      <StageTable passage={passage} best={best} />
    </article>
  );
}

const count = (amount: number, thing: string) => `${amount.toLocaleString()} ${thing}${amount === 1 ? '' : 's'}`;
