import { describe, expect, it } from 'vitest';
import { createVaultFor, type TenantVault } from '../../../src/modules/vault/tenant-vault.ts';

type SearchInput = Parameters<TenantVault['search']>[0];
type SearchResult = Awaited<ReturnType<TenantVault['search']>>;
type SentSearch = { input: SearchInput; answer: (tookMs: number) => void };

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const unreachableCall = async () => expect.unreachable();

/** A vault whose searches end when the test answers them. */
function heldVault() {
  const sent: SentSearch[] = [];
  const search = (input: SearchInput) =>
    new Promise<SearchResult>((resolve, reject) => {
      input.signal?.addEventListener('abort', () => reject(input.signal?.reason));
      const answer = (tookMs: number) =>
        resolve({
          ...{ passages: [], duplicatesRemoved: 0, tookMs, notes: [] },
          embedding: { model: 'paid', tokens: 7 },
        });
      sent.push({ input, answer });
    });
  const consumed: string[] = [];
  const vaultFor = createVaultFor({
    vault: {
      search,
      document: unreachableCall,
      passagesWithin: unreachableCall,
      extract: unreachableCall,
    },
    limits: {
      async consume(caller) {
        consumed.push(caller);
        return { limit: 9, remaining: 9, resetAtSeconds: 0, retryAfterSeconds: 0, exceeded: false };
      },
    },
    ...{ organizationLimit: 9, personLimit: 9 },
  });
  const ask = (query: string, { organizationId = 'ours', ...rest } = {} as Asking) =>
    vaultFor({ organizationId, userId: 'somebody' }).search({
      collection: 'files',
      query,
      ...rest,
    });
  return {
    sent,
    consumed,
    ask,
    /** Sends searches until those that follow have to wait for their turn. */
    async occupy(): Promise<void> {
      for (let index = 0; ; index += 1) {
        const before = sent.length;
        void ask(`occupied ${index}`);
        await nextTurn();
        if (sent.length === before) return;
      }
    },
    /** Answers every search that is sent, until none is left. */
    async answerAll(): Promise<void> {
      for (let answered = 0; answered < sent.length; await nextTurn())
        for (; answered < sent.length; answered += 1) sent[answered]?.answer(answered);
    },
    sentFor: (query: string) => sent.filter(({ input }) => input.query === query),
  };
}
type Asking = { organizationId?: string; limit?: number; signal?: AbortSignal };

describe('Searches that ask the same', () => {
  it('While they wait they share one call of the vault, and each caller gets its result', async () => {
    const { ask, occupy, answerAll, sentFor } = heldVault();
    await occupy();
    const results = Promise.all([ask('holiday'), ask('holiday'), ask('holiday')]);
    await nextTurn();
    await answerAll();
    const [first, ...others] = (await results).map(({ tookMs }) => tookMs);
    expect(others).toEqual([first, first]);
    expect(sentFor('holiday').length).toBe(1);
  });

  it('A search is sent again if the same one was sent before, because it may find what was stored since', async () => {
    const { ask, sent, answerAll, sentFor } = heldVault();
    const first = ask('holiday');
    while (sent.length === 0) await nextTurn();
    const second = ask('holiday');
    await nextTurn();
    await answerAll();
    expect((await first).tookMs).not.toBe((await second).tookMs);
    expect(sentFor('holiday').length).toBe(2);
  });

  it('Another organization, another limit and another query have calls of their own', async () => {
    const { ask, occupy, answerAll, sentFor } = heldVault();
    await occupy();
    const searches = [
      ask('holiday'),
      ask('holiday', { organizationId: 'theirs' }),
      ask('holiday', { limit: 3 }),
      ask('notice'),
    ];
    await nextTurn();
    await answerAll();
    await Promise.all(searches);
    expect(sentFor('holiday').length).toBe(3);
    expect(sentFor('notice').length).toBe(1);
  });

  it('Each of them counts towards the limits', async () => {
    const { ask, occupy, answerAll, consumed } = heldVault();
    await occupy();
    const before = consumed.length;
    const searches = [ask('holiday'), ask('holiday')];
    await nextTurn();
    await answerAll();
    await Promise.all(searches);
    expect(consumed.length - before).toBe(4);
  });

  it('The tokens of the embedding belong to one of them', async () => {
    const { ask, occupy, answerAll } = heldVault();
    await occupy();
    const results = Promise.all([ask('holiday'), ask('holiday'), ask('holiday')]);
    await nextTurn();
    await answerAll();
    const tokens = (await results).map(({ embedding }) => embedding?.tokens);
    expect(tokens.toSorted()).toEqual([0, 0, 7]);
  });

  it('A caller who gives up leaves the call and its tokens to the others', async () => {
    const { ask, occupy, answerAll, sentFor } = heldVault();
    await occupy();
    const controller = new AbortController();
    const given = ask('holiday', { signal: controller.signal });
    const kept = ask('holiday');
    await nextTurn();
    controller.abort(new Error('gave up'));
    await expect(given).rejects.toThrow('gave up');
    await answerAll();
    expect((await kept).embedding?.tokens).toBe(7);
    expect(sentFor('holiday').length).toBe(1);
  });

  it('A search that all callers have given up is not sent, and the next one is', async () => {
    const { ask, occupy, answerAll, sentFor } = heldVault();
    await occupy();
    const controller = new AbortController();
    const given = [
      ask('holiday', { signal: controller.signal }),
      ask('holiday', { signal: controller.signal }),
    ];
    await nextTurn();
    controller.abort(new Error('gave up'));
    for (const search of given) await expect(search).rejects.toThrow('gave up');
    await answerAll();
    expect(sentFor('holiday').length).toBe(0);
    const next = ask('holiday');
    await nextTurn();
    await answerAll();
    expect((await next).embedding?.tokens).toBe(7);
  });
});
