import { scoreOf } from './amounts.ts';
import type { PassageFragment } from './documents.ts';

type Row = {
  name: string;
  means: string;
  rank: number | undefined;
  score: number | undefined;
  share: number | undefined;
};

/**
 * What each stage of the search made of a passage; the bars are measured against the best passage's
 * sum.
 */
export function StageTable({
  passage: { keyword, vector, fused, rerank },
  best,
}: {
  passage: PassageFragment;
  best: number;
}) {
  const rows: Row[] = [
    { name: 'Words', means: 'BM25', ...stageOf(keyword) },
    { name: 'Vectors', means: 'cosine', ...stageOf(vector) },
    { name: 'Together', means: 'sum', rank: undefined, score: fused, share: fused },
    ...(rerank === null
      ? []
      : [{ name: 'Rerank', means: 'decides', rank: undefined, score: rerank, share: undefined }]),
  ];
  return (
    <table className="vault-stages">
      <caption className="sr-only">What each stage gave</caption>
      <thead>
        <tr>
          <th scope="col">Stage</th>
          <th scope="col">Place</th>
          <th scope="col">Score</th>
          <th scope="col">Gives</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, means, rank, score, share }) => (
          <tr key={name}>
            <th scope="row">
              {name} <span className="hint">{means}</span>
            </th>
            <td>{rank ?? '–'}</td>
            <td>{score === undefined ? 'not found' : scoreOf(score)}</td>
            <td>
              {share !== undefined && (
                <span className="vault-share">
                  <span className="vault-track">
                    <span
                      className="vault-bar"
                      style={{ width: `${Math.min(100, best > 0 ? (share / best) * 100 : 0)}%` }}
                    />
                  </span>
                  <span className="vault-amount">{scoreOf(share)}</span>
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const stageOf = (stage: PassageFragment['keyword']) => ({
  rank: stage?.rank,
  score: stage?.score,
  share: stage?.share,
});
