import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createVaultFor, type TenantVault } from '../../../src/modules/vault/tenant-vault.ts';
import { assistantOf, personIn, share } from '../../support/assistants.ts';
import { type FilledVault, filledVault } from '../../support/filled-vault.ts';

const personLimit = 6;
const organizationLimit = 9;

let filledApp: FilledVault;
beforeAll(async () => {
  filledApp = await filledVault({
    VAULT_PERSON_LIMIT: String(personLimit),
    VAULT_ORGANIZATION_LIMIT: String(organizationLimit),
  });
});
afterAll(() => filledApp.close());

const excerpt = (assistantId: string, documentId: string) =>
  `assistantFileExcerpt(assistantId: "${assistantId}", documentId: "${documentId}", start: 0, end: 20) { parts { text } }`;
const aliasedQuery = (count: number, field: string) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')} }`;

describe('The limits for calls of the vault', () => {
  it('Each aliased field counts as a call of the person; calls over the limit are refused with the seconds to wait', async () => {
    const { app, colleague, assistantId, fileIds } = filledApp;
    expect(
      (
        await app.graph(
          colleague.key,
          aliasedQuery(personLimit, excerpt(assistantId, fileIds[0] ?? '')),
        )
      ).errors,
    ).toEqual([]);
    const { errors } = await app.graph(
      colleague.key,
      aliasedQuery(1, excerpt(assistantId, fileIds[0] ?? '')),
    );
    expect(errors[0]?.extensions?.code).toBe('RATE_LIMITED');
    expect(errors[0]?.message).toMatch(
      /^You have asked for more than 6 searches and readings in files within a minute; try again in \d+ s$/,
    );
    expect(Object(errors[0]?.extensions).retryAfterSeconds).toBeGreaterThan(0);
  });

  it('A run of a person over the limit gets 429 with Retry-After', async () => {
    const { colleague, assistantId } = filledApp;
    const { status, headers } = await colleague.call(
      'POST',
      `/api/assistants/v1/${assistantId}/run`,
      {
        messages: [{ role: 'user', content: 'How many days of vacation?' }],
      },
    );
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('The people of one organization share its limit, and another organization is not affected', async () => {
    const { app, organization: us, colleague, assistantId, fileIds, addDocument } = filledApp;
    const another = await personIn(app, us);
    await share(colleague, assistantId, 'VIEW', { userId: another.id });
    const remainingCalls = organizationLimit - personLimit;
    expect(
      (
        await app.graph(
          another.key,
          aliasedQuery(remainingCalls, excerpt(assistantId, fileIds[0] ?? '')),
        )
      ).errors,
    ).toEqual([]);
    const { errors } = await app.graph(
      another.key,
      aliasedQuery(1, excerpt(assistantId, fileIds[0] ?? '')),
    );
    expect(errors[0]?.message).toContain('Your organization has asked for more than 9');

    const otherOrganization = await app.organization();
    const outsider = await personIn(app, otherOrganization);
    const otherAssistantId = await assistantOf(outsider);
    const file = await addDocument(
      otherOrganization,
      otherAssistantId,
      'theirs.txt',
      'What they know is theirs.',
    );
    expect(
      (await app.graph(outsider.key, aliasedQuery(personLimit, excerpt(otherAssistantId, file))))
        .errors,
    ).toEqual([]);
  });
});

describe('The queue for calls of the vault', () => {
  afterEach(() => void vi.useRealTimers());
  const noPassages = { passages: [], duplicatesRemoved: 0, tookMs: 0, notes: [] };
  const limits = {
    consume: async () => ({
      limit: 1,
      remaining: 1,
      resetAtSeconds: 0,
      retryAfterSeconds: 0,
      exceeded: false,
    }),
  };
  const unreachableCall = async () => expect.unreachable();
  const unreachableVault = {
    search: unreachableCall,
    document: unreachableCall,
    passagesWithin: unreachableCall,
    extract: unreachableCall,
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('The first search of an organization comes next, even if another has 200 searches waiting', async () => {
    const finishers: (() => void)[] = [];
    const sentCollections: string[] = [];
    const search: TenantVault['search'] = ({ collection }) => {
      sentCollections.push(collection);
      return new Promise((resolve) => finishers.push(() => resolve(noPassages)));
    };
    const vaultFor = createVaultFor({
      vault: { ...unreachableVault, search },
      ...{ limits, organizationLimit: 1, personLimit: 1 },
    });
    const searchFor = (organizationId: string, query: string) =>
      vaultFor({ organizationId, userId: 'somebody' }).search({
        collection: organizationId,
        query,
      });
    const busySearches = Array.from({ length: 200 }, (_, index) => searchFor('loud', `x${index}`));
    await new Promise((resolve) => setImmediate(resolve));
    const sentAtOnce = sentCollections.length;
    expect(sentAtOnce).toBeLessThan(10);
    const quietSearch = searchFor('quiet', 'x');
    await new Promise((resolve) => setImmediate(resolve));
    expect(sentCollections.slice(sentAtOnce)).toEqual(['quiet']);
    while (finishers.length > 0) {
      for (const finishSearch of finishers.splice(0)) finishSearch();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all([...busySearches, quietSearch]);
    expect(sentCollections.length).toBe(201);
  });

  it('A paced organization rests for twice as long as a call took, and gets the result before that', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    const finishers: (() => void)[] = [];
    let sent = 0;
    const search: TenantVault['search'] = () => {
      sent += 1;
      return new Promise((resolve) => finishers.push(() => resolve(noPassages)));
    };
    const vaultFor = createVaultFor({
      vault: { ...unreachableVault, search },
      ...{ limits, organizationLimit: 1, personLimit: 1, isPaced: () => true },
    });
    const searches = Array.from({ length: 100 }, (_, index) =>
      vaultFor({ organizationId: 'busy', userId: 'somebody' }).search({
        collection: 'busy',
        query: `x${index}`,
      }),
    );
    await settled();
    const sentAtOnce = sent;
    vi.advanceTimersByTime(30);
    finishers[0]?.();
    expect(await searches[0]).toEqual(noPassages);
    vi.advanceTimersByTime(59);
    await settled();
    expect(sent).toBe(sentAtOnce);
    vi.advanceTimersByTime(1);
    await settled();
    expect(sent).toBe(sentAtOnce + 1);
  });
});
