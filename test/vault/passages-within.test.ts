import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type VaultParts, vaultParts } from '../support/vault-parts.ts';

const text = Array.from(
  { length: 400 },
  (_, at) => `Paragraph ${at} tells of ${at} flamingos, and of nothing else that matters.`,
).join('\n\n');
let vault: VaultParts;
beforeAll(async () => {
  vault = await vaultParts();
  await vault.put('within', 'birds', text);
});
afterAll(() => vault.close());

describe('the passages within a stretch of text', () => {
  it('are all those that hold something of it, in order, and no others', async () => {
    const all = await vault.client.passages({ collection: 'within', document: 'birds' });
    expect(all.length).toBeGreaterThan(5);
    const last = all.at(-1)?.end ?? 0;
    for (const [start, end] of [
      [0, 1],
      [9_000, 9_001],
      [9_000, 14_000],
      [last - 1, last],
      [last, last + 50],
      [0, 100_000],
    ] as const) {
      const within = await vault.client.passagesWithin({
        collection: 'within',
        document: 'birds',
        start,
        end,
      });
      expect(within).toEqual(all.filter((passage) => passage.start < end && passage.end > start));
    }
  });

  it('of a document that is not there are undefined', async () => {
    expect(
      await vault.client.passagesWithin({
        collection: 'within',
        document: 'none',
        start: 0,
        end: 1,
      }),
    ).toBeUndefined();
    expect(
      await vault.client.passagesWithin({
        collection: 'none',
        document: 'birds',
        start: 0,
        end: 1,
      }),
    ).toBeUndefined();
  });

  it.each([
    'start=5&end=5',
    'start=6&end=5',
    'start=5',
    'end=5',
    'start=-1&end=5',
    'start=x&end=5',
    'start=0&end=100001',
    'start=0&end=1e3',
  ])('asked for by %s are refused, by the vault and by the vector database', async (query) => {
    const path = `/v1/collections/within/documents/birds/passages?${query}`;
    expect(await vault.call('GET', path)).toMatchObject({ status: 400, body: { status: 'error' } });
    const direct = await fetch(`${vault.vectorDb.url}${path}`, {
      headers: { authorization: `Bearer the-secret-of-the-test` },
    });
    expect(direct.status).toBe(400);
  });
});
