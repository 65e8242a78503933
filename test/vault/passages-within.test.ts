import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVaultServers, type VaultServers } from '../support/vault-servers.ts';

const text = Array.from(
  { length: 400 },
  (_, at) => `Paragraph ${at} tells of ${at} flamingos, and of nothing else that matters.`,
).join('\n\n');
let vault: VaultServers;
beforeAll(async () => {
  vault = await startVaultServers();
  await vault.put('within', 'birds', text);
});
afterAll(() => vault.close());

describe('passages within a range of text', () => {
  it('A range of text returns exactly the passages that overlap it, in order', async () => {
    const allPassages = await vault.client.passages({ collection: 'within', document: 'birds' });
    expect(allPassages.length).toBeGreaterThan(5);
    const textEnd = allPassages.at(-1)?.end ?? 0;
    for (const [start, end] of [
      [0, 1],
      [9_000, 9_001],
      [9_000, 14_000],
      [textEnd - 1, textEnd],
      [textEnd, textEnd + 50],
      [0, 100_000],
    ] as const) {
      const overlapping = await vault.client.passagesWithin({
        collection: 'within',
        document: 'birds',
        start,
        end,
      });
      expect(overlapping).toEqual(
        allPassages.filter((passage) => passage.start < end && passage.end > start),
      );
    }
  });

  it('The passages of a missing document are undefined', async () => {
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
  ])('The vault and the vector database reject a request for passages with %s', async (query) => {
    const path = `/v1/collections/overlapping/documents/birds/passages?${query}`;
    expect(await vault.call('GET', path)).toMatchObject({ status: 400, body: { status: 'error' } });
    const answer = await fetch(`${vault.vectorDb.url}${path}`, {
      headers: { authorization: `Bearer the-secret-of-the-test` },
    });
    expect(answer.status).toBe(400);
  });
});
