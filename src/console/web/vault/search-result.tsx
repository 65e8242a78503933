import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { EmptyState, Notice } from '../ui/status.tsx';
import { formatMilliseconds, formatScore } from './amounts.ts';
import type { PassageFragment, VaultSearchQuery } from './documents.ts';

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

type StageRow = {
  name: string;
  method: string;
  rank: number | undefined;
  score: number | undefined;
  share: number | undefined;
};

/**
 * The rank and score of a passage in each search stage. The bars are relative to the fused score of
 * the best passage.
 */
function StageTable({
  passage: { keyword, vector, fused, rerank },
  bestScore,
}: {
  passage: PassageFragment;
  bestScore: number;
}) {
  const rows: StageRow[] = [
    { name: 'Keywords', method: 'BM25', ...stageValues(keyword) },
    { name: 'Vectors', method: 'cosine', ...stageValues(vector) },
    { name: 'Fused', method: 'sum', rank: undefined, score: fused, share: fused },
    ...(rerank === null
      ? []
      : [
          {
            name: 'Rerank',
            method: 'final order',
            rank: undefined,
            score: rerank,
            share: undefined,
          },
        ]),
  ];
  return (
    <table className="vault-stages">
      <caption className="sr-only">Scores by stage</caption>
      <thead>
        <tr>
          <th scope="col">Stage</th>
          <th scope="col">Rank</th>
          <th scope="col">Score</th>
          <th scope="col">Contribution</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, method, rank, score, share }) => (
          <tr key={name}>
            <th scope="row">
              {name} <span className="hint">{method}</span>
            </th>
            <td>{rank ?? '–'}</td>
            <td>{score === undefined ? 'not found' : formatScore(score)}</td>
            <td>
              {share !== undefined && (
                <span className="vault-share">
                  <span className="vault-track">
                    <span
                      className="vault-bar"
                      style={{
                        width: `${Math.min(100, bestScore > 0 ? (share / bestScore) * 100 : 0)}%`,
                      }}
                    />
                  </span>
                  <span className="vault-amount">{formatScore(share)}</span>
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const stageValues = (stage: PassageFragment['keyword']) => ({
  rank: stage?.rank,
  score: stage?.score,
  share: stage?.share,
});

/** Long enough to show what a passage is about. */
const previewCharacters = 320;

/** The text of a passage. A long one is collapsed at first, so that passages can be compared. */
function PassageText({ text, query }: { text: string; query: string }) {
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
