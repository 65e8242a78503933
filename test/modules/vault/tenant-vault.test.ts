import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVaultFor, type TenantVault } from '../../../src/modules/vault/tenant-vault.ts';
import { assistantOf, personIn, share } from '../../support/assistants.ts';
import { type FilledVault, filledVault } from '../../support/filled-vault.ts';

const personLimit = 6;
const organizationLimit = 9;

let filled: FilledVault;
beforeAll(async () => {
  filled = await filledVault({
    VAULT_PERSON_LIMIT: String(personLimit),
    VAULT_ORGANIZATION_LIMIT: String(organizationLimit),
  });
});
afterAll(() => filled.close());

const excerpt = (assistantId: string, documentId: string) =>
  `assistantFileExcerpt(assistantId: "${assistantId}", documentId: "${documentId}", start: 0, end: 20) { parts { text } }`;
const aliased = (count: number, field: string) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')} }`;

describe('calls of the vault are counted before they are sent', () => {
  it('each alias counts for the person, and what is beyond the limit is refused with the seconds to wait', async () => {
    const { app, colleague, assistantId, fileIds } = filled;
    expect(
      (await app.graph(colleague.key, aliased(personLimit, excerpt(assistantId, fileIds[0] ?? ''))))
        .errors,
    ).toEqual([]);
    const { errors } = await app.graph(
      colleague.key,
      aliased(1, excerpt(assistantId, fileIds[0] ?? '')),
    );
    expect(errors[0]?.extensions?.code).toBe('RATE_LIMITED');
    expect(errors[0]?.message).toMatch(
      /^You have asked for more than 6 searches and readings in files within a minute; try again in \d+ s$/,
    );
    expect(Object(errors[0]?.extensions).retryAfterSeconds).toBeGreaterThan(0);
  });

  it('a run of the same person is refused with 429 and Retry-After', async () => {
    const { colleague, assistantId } = filled;
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

  it('several people of one organization together meet its limit, while another organization is not affected', async () => {
    const { app, us, colleague, assistantId, fileIds, shelved } = filled;
    const another = await personIn(app, us);
    await share(colleague, assistantId, 'VIEW', { userId: another.id });
    const left = organizationLimit - personLimit;
    expect(
      (await app.graph(another.key, aliased(left, excerpt(assistantId, fileIds[0] ?? '')))).errors,
    ).toEqual([]);
    const { errors } = await app.graph(
      another.key,
      aliased(1, excerpt(assistantId, fileIds[0] ?? '')),
    );
    expect(errors[0]?.message).toContain('Your organization has asked for more than 9');

    const others = await app.organization();
    const stranger = await personIn(app, others);
    const theirs = await assistantOf(stranger);
    const file = await shelved(others, theirs, 'theirs.txt', 'What they know is theirs.');
    expect(
      (await app.graph(stranger.key, aliased(personLimit, excerpt(theirs, file)))).errors,
    ).toEqual([]);
  });
});

describe('calls of the vault wait for the turn of their organization', () => {
  it('two hundred searches of one organization leave the first search of another to be answered next', async () => {
    const finish: (() => void)[] = [];
    const asked: string[] = [];
    const search: TenantVault['search'] = ({ collection }) => {
      asked.push(collection);
      return new Promise((resolve) =>
        finish.push(() => resolve({ passages: [], duplicatesRemoved: 0, tookMs: 0, notes: [] })),
      );
    };
    const limits = {
      take: async () => ({
        limit: 1,
        remaining: 1,
        resetAtSeconds: 0,
        retryAfterSeconds: 0,
        exceeded: false,
      }),
    };
    const never = async () => expect.unreachable();
    const vault = { search, document: never, passagesWithin: never, extract: never };
    const vaultFor = createVaultFor({ vault, limits, organizationLimit: 1, personLimit: 1 });
    const ask = (organizationId: string) =>
      vaultFor({ organizationId, userId: 'somebody' }).search({
        collection: organizationId,
        query: 'x',
      });
    const loud = Array.from({ length: 200 }, () => ask('loud'));
    await new Promise((resolve) => setImmediate(resolve));
    const sentAtOnce = asked.length;
    expect(sentAtOnce).toBeLessThan(10);
    const quiet = ask('quiet');
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked.slice(sentAtOnce)).toEqual(['quiet']);
    while (finish.length > 0) {
      for (const each of finish.splice(0)) each();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all([...loud, quiet]);
    expect(asked.length).toBe(201);
  });
});
