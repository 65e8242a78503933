import { richText, t } from '../texts/text.ts';
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
        <EmptyState title={t('vault.noResults')}>{t('vault.noResultsHint')}</EmptyState>
        <ExcludedPassages passages={leftOut} bestScore={0} query={query} />
      </>
    );
  }
  return (
    <>
      <p className="vault-summary" role="status">
        {richText('vault.summary', {
          count: passages.length,
          time: formatMilliseconds(tookMs),
          keyword: candidates.keyword,
          vector: candidates.vector,
          distinct: candidates.distinct,
          nearDuplicates,
          belowLimit,
          b: (text) => <strong>{text}</strong>,
        })}
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
          {isPreviousVersion && `${t('vault.previousVersion')} · `}
          {page !== null && `${t('vault.page', { page })} · `}
          {t('vault.passage', { ordinal: ordinal + 1 })}
          {headings.length > 0 && ` · ${headings.join(' › ')}`}
        </p>
        <PassageText text={text} query={query} />
      </div>
      <StageTable passage={passage} bestScore={bestScore} />
    </article>
  );
}

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
        <strong>{t('vault.excludedPassages')}</strong>{' '}
        <span className="hint">{t('vault.bestPassages', { count: passages.length })}</span>
      </summary>
      <ul className="vault-excluded plain-list">
        {passages.map((excluded) => (
          <li
            key={`${excluded.reason}-${excluded.passage.originalName}-${excluded.passage.documentId}-${excluded.passage.ordinal}`}
          >
            <h3>{excluded.passage.originalName ?? t('vault.deletedFile')}</h3>
            <p className="hint">
              {t('vault.passageReason', {
                ordinal: excluded.passage.ordinal + 1,
                reason: reasonText(excluded),
              })}
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
  if (reason === 'NO_FILE') return t('vault.reasonNoFile');
  if (reason === 'BELOW_LIMIT') return t('vault.reasonBelowLimit');
  return like
    ? t('vault.reasonDuplicateOf', {
        ordinal: like.ordinal + 1,
        originalName: like.originalName ?? t('vault.betterFile'),
      })
    : t('vault.reasonDuplicate');
}
