import { t } from '../texts/text.ts';
import { formatScore } from './amounts.ts';
import type { PassageFragment } from './documents.ts';

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
export function StageTable({
  passage: { keyword, vector, coverage, fused, rerank },
  bestScore,
}: {
  passage: PassageFragment;
  bestScore: number;
}) {
  const rows: StageRow[] = [
    { name: t('vault.keywords'), method: 'BM25', ...stageValues(keyword) },
    { name: t('vault.vectors'), method: t('vault.cosine'), ...stageValues(vector) },
    ...(coverage === null
      ? []
      : [
          {
            name: t('vault.coverage'),
            method: t('vault.coverageOfQuery'),
            ...stageValues(coverage),
          },
        ]),
    { name: t('vault.fused'), method: t('vault.sum'), rank: undefined, score: fused, share: fused },
    ...(rerank === null
      ? []
      : [
          {
            name: t('vault.rerank'),
            method: t('vault.finalOrder'),
            rank: undefined,
            score: rerank,
            share: undefined,
          },
        ]),
  ];
  return (
    <table className="vault-stages">
      <caption className="sr-only">{t('vault.scoresByStage')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('vault.stage')}</th>
          <th scope="col">{t('vault.rank')}</th>
          <th scope="col">{t('vault.score')}</th>
          <th scope="col">{t('vault.contribution')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, method, rank, score, share }) => (
          <tr key={name}>
            <th scope="row">
              {name} <span className="hint">{method}</span>
            </th>
            <td>{rank ?? '–'}</td>
            <td>{score === undefined ? t('vault.notFound') : formatScore(score)}</td>
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
