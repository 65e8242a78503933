import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startVaultServers, type VaultServers } from '../../support/vault-servers.ts';

const documents: Record<string, string> = {
  travel: 'Travel expenses are paid back within two weeks. Keep every receipt.',
  copy: 'Travel expenses are paid back within two weeks. Keep every receipt!',
  leave: 'Employees have thirty days of vacation in a year. Days of travel count as days of work.',
  printer: 'The printer PX-4410 stands on the second floor; ask the travel desk for paper.',
};

let vault: VaultServers;
const json = { 'content-type': 'application/json' };
const search = async (body: object) =>
  (
    await vault.call('POST', '/v1/collections/handbook/search', {
      headers: json,
      body: JSON.stringify(body),
    })
  ).body;
type SearchResult = {
  document: string;
  ordinal: number;
  score: number;
  scores: Record<'keyword' | 'vector' | 'coverage', { share: number } | null>;
};

const sharesOf = ({ keyword, vector, coverage }: SearchResult['scores']) =>
  [keyword, vector, coverage].map((stage) => stage?.share ?? 0);

beforeAll(async () => {
  vault = await startVaultServers();
  for (const [name, text] of Object.entries(documents))
    expect((await vault.put('handbook', name, text)).status).toBe(200);
});
afterAll(() => vault.close());

describe('search with explain', () => {
  test('A search with an explanation returns the same passages in the same order', async () => {
    const [unexplained, explained] = [
      await search({ query: 'travel expenses', limit: 2 }),
      await search({ query: 'travel expenses', limit: 2, explain: true }),
    ];
    expect(explained.passages).toEqual(unexplained.passages);
    expect(unexplained.explanation).toBeUndefined();
  });

  test('The shares of the stages add up to the score', async () => {
    const { passages } = await search({ query: 'travel expenses', explain: true });
    expect(passages.length).toBeGreaterThan(1);
    for (const { score, scores } of passages as SearchResult[])
      expect(sharesOf(scores).reduce((sum, share) => sum + share)).toBeCloseTo(score, 12);
  });

  test('Every candidate is either returned or listed as omitted with a reason', async () => {
    const { passages, explanation } = await search({
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
    const duplicate = leftOut.find(({ reason }: { reason: string }) => reason === 'NEAR_DUPLICATE');
    expect(new Set([best.document, duplicate.document])).toEqual(new Set(['travel', 'copy']));
    expect(duplicate.like).toEqual({ document: best.document, ordinal: best.ordinal });
    const belowLimitResults = leftOut.filter(
      ({ reason }: { reason: string }) => reason === 'BELOW_LIMIT',
    ) as SearchResult[];
    expect(belowLimitResults.map(({ score }) => score)).toEqual(
      belowLimitResults.map(({ score }) => score).toSorted((a, b) => b - a),
    );
    expect(belowLimitResults.every(({ score }) => score <= best.score)).toBe(true);
  });

  test('The field explain must be true or false', async () => {
    expect((await search({ query: 'travel', explain: 'yes' })).message).toContain('explain');
  });
});
