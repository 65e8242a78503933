import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VaultParts, vaultParts } from '../../support/vault-parts.ts';

const documents: Record<string, string> = {
  travel: 'Travel expenses are paid back within two weeks. Keep every receipt.',
  copy: 'Travel expenses are paid back within two weeks. Keep every receipt!',
  leave: 'Employees have thirty days of vacation in a year. Days of travel count as days of work.',
  printer: 'The printer PX-4410 stands on the second floor; ask the travel desk for paper.',
};

let parts: VaultParts;
const json = { 'content-type': 'application/json' };
const ask = async (body: object) =>
  (
    await parts.call('POST', '/v1/collections/handbook/search', {
      headers: json,
      body: JSON.stringify(body),
    })
  ).body;
type Told = {
  document: string;
  ordinal: number;
  score: number;
  scores: { keyword: { share: number } | null; vector: { share: number } | null; fused: number };
};

beforeAll(async () => {
  parts = await vaultParts();
  for (const [name, text] of Object.entries(documents))
    expect((await parts.put('handbook', name, text)).status).toBe(200);
});
afterAll(() => parts.close());

describe('a search that explains itself', () => {
  test('finds what it would have found without, in the same order', async () => {
    const [plain, told] = [
      await ask({ query: 'travel expenses', limit: 2 }),
      await ask({ query: 'travel expenses', limit: 2, explain: true }),
    ];
    expect(told.passages).toEqual(plain.passages);
    expect(plain.explanation).toBeUndefined();
  });

  test('gives each stage its share, and the shares are the score', async () => {
    const { passages } = await ask({ query: 'travel expenses', explain: true });
    expect(passages.length).toBeGreaterThan(1);
    for (const { score, scores } of passages as Told[])
      expect((scores.keyword?.share ?? 0) + (scores.vector?.share ?? 0)).toBeCloseTo(score, 12);
  });

  test('tells every candidate either as found or as left out, and why', async () => {
    const { passages, explanation } = await ask({
      query: 'travel expenses receipt',
      limit: 1,
      explain: true,
    });
    const { candidates, nearDuplicates, belowLimit, leftOut } = explanation;
    expect(passages).toHaveLength(1);
    expect(nearDuplicates).toBe(1);
    expect(candidates.distinct).toBe(passages.length + belowLimit);
    expect(leftOut).toHaveLength(belowLimit + nearDuplicates);
    const [best] = passages;
    const copy = leftOut.find(({ reason }: { reason: string }) => reason === 'NEAR_DUPLICATE');
    expect(new Set([best.document, copy.document])).toEqual(new Set(['travel', 'copy']));
    expect(copy.like).toEqual({ document: best.document, ordinal: best.ordinal });
    const below = leftOut.filter(
      ({ reason }: { reason: string }) => reason === 'BELOW_LIMIT',
    ) as Told[];
    expect(below.map(({ score }) => score)).toEqual(
      below.map(({ score }) => score).toSorted((a, b) => b - a),
    );
    expect(below.every(({ score }) => score <= best.score)).toBe(true);
  });

  test('is asked for by true and false alone', async () => {
    expect((await ask({ query: 'travel', explain: 'yes' })).message).toContain('explain');
  });
});
