import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPlatformSupport } from '../../../src/modules/accounts/set-platform-support.ts';
import { createVaultClient, type VaultClient } from '../../../src/vault/client.ts';
import { testApp } from '../../support/app.ts';
import { assistantOf, personIn, share } from '../../support/assistants.ts';
import { type FilledVault, filledVault } from '../../support/filled-vault.ts';
import { giveSecondFactor } from '../../support/second-factor.ts';
import { fileOf } from '../../support/shelf.ts';
import { signIn } from '../../support/sign-in.ts';
import { receiver, vaultSecret } from '../../support/vault.ts';

let filled: FilledVault;
beforeAll(async () => {
  filled = await filledVault();
});
afterAll(() => filled.close());

const state = `{ vault { state version uptimeSeconds checks { name healthy latencyMs }
  system { at cpu { usagePercent cores loadAverage } memory { usagePercent } disks { path usagePercent } database { healthy documentCount } process { rssBytes } reembedding }
  figures(minutes: 60) { at cpuPercent memoryPercent storagePercent documentCount } rateLimit { limit remaining limited resetsAt } } }`;
type State = {
  vault: Record<string, unknown> & {
    system: Record<string, Record<string, unknown>>;
    figures: Record<string, unknown>[];
  };
};

/**
 * Each kind of figures is taken on its own interval, so that the last point need not have all of
 * them.
 */
const lastTold = (figures: Record<string, unknown>[], name: string) =>
  figures.map((point) => point[name]).findLast((value) => value !== null) ?? null;

describe('vault', () => {
  it('tells an administrator how it is, what it needs, and figures of its machine', async () => {
    const { data, errors } = await filled.administrator.graph<State>(state);
    expect(errors).toEqual([]);
    expect(data?.vault).toMatchObject({
      state: 'HEALTHY',
      version: expect.stringMatching(/^\d+\.\d+/),
      checks: [{ name: 'vectorDb', healthy: true, latencyMs: expect.any(Number) }],
      system: {
        cpu: { usagePercent: expect.any(Number) },
        memory: { usagePercent: expect.any(Number) },
        database: { healthy: true },
        reembedding: null,
      },
      rateLimit: { limit: 60000, limited: false },
    });
    for (const name of ['cpuPercent', 'storagePercent'])
      expect(lastTold(data?.vault.figures ?? [], name)).toEqual(expect.any(Number));
  });

  it('tells what all organizations together have, and where it lies, to platform support alone', async () => {
    const { app, us } = filled;
    const told = async () => {
      const { data } = await filled.administrator.graph<State>(state);
      const { system, figures } = data?.vault ?? { system: {}, figures: [] };
      const disks = system['disks'] as unknown as { path: string | null }[];
      return [
        system['database']?.['documentCount'],
        disks[0]?.path,
        lastTold(figures, 'documentCount'),
      ];
    };
    expect(await told()).toEqual([null, null, null]);
    const { email } = await app.database.prisma.user.findUniqueOrThrow({
      where: { id: us.administratorId },
    });
    await setPlatformSupport({ email, isPlatformSupport: true }, app);
    await giveSecondFactor(app, us.administratorId);
    expect(await told()).toEqual([expect.any(Number), expect.any(String), expect.any(Number)]);
    await setPlatformSupport({ email, isPlatformSupport: false }, app);
  });

  it('is for administrators who are signed in: no key, no other member and nobody sees it', async () => {
    const { app, us, colleague } = filled;
    const member = await signIn(app, colleague.id);
    for (const query of [
      state,
      '{ vaultDocuments { total } }',
      '{ vaultSearch(assistantId: "x", query: "x") { tookMs } }',
    ]) {
      expect((await member.graph(query)).code).toBe('FORBIDDEN');
      for (const key of [us.key, colleague.key])
        expect((await app.graph(key, query)).errors[0]?.extensions?.code).toBe('FORBIDDEN');
      expect(
        (
          await app.request('POST', '/graphql', {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ query }),
          })
        ).text,
      ).toContain('UNAUTHENTICATED');
    }
  });

  it('refuses a look back of less than a minute or more than a day', async () => {
    for (const minutes of [0, 1441]) {
      const { errors } = await filled.administrator.graph(
        `{ vault { figures(minutes: ${minutes}) { at } } }`,
      );
      expect(errors[0]?.message).toContain('1 to 1440');
    }
  });

  const none = {
    version: null,
    uptimeSeconds: null,
    checks: [],
    system: null,
    figures: [],
    rateLimit: null,
  };

  /**
   * An application with this vault or none, and the administrator of an organization there with one
   * file.
   */
  async function elsewhere(vault?: VaultClient) {
    const other = await testApp({}, vault ? { vault } : {});
    const organization = await other.organization();
    const owner = await personIn(other, organization);
    const ownId = await assistantOf(owner);
    await share(owner, ownId, 'VIEW', { userId: organization.administratorId });
    await fileOf(other, organization, ownId, 'kept.pdf');
    const session = await signIn(other, organization.administratorId);
    const expectAway = async (expected: string) => {
      const { data, errors } = await session.graph<State>(state);
      expect(errors).toEqual([]);
      expect(data?.vault).toEqual({ state: expected, ...none });
      expect(
        await session.graph(
          '{ vaultDocuments { items { file { originalName } inVault { state passages } } } }',
        ),
      ).toMatchObject({
        errors: [],
        data: {
          vaultDocuments: {
            items: [
              { file: { originalName: 'kept.pdf' }, inVault: { state: 'UNKNOWN', passages: null } },
            ],
          },
        },
      });
      expect(
        (await session.graph(`{ vaultSearch(assistantId: "${ownId}", query: "x") { tookMs } }`))
          .code,
      ).toBe('UNAVAILABLE');
    };
    return { session, expectAway, close: other.close };
  }

  it('that is not there at all is an answer without an error, and so are its documents', async () => {
    const { expectAway, close } = await elsewhere();
    await expectAway('NONE');
    await close();
  });

  it('that was started with another secret is locked, and says nothing but its health', async () => {
    const client = createVaultClient({ url: filled.parts.url, secret: 'another secret' });
    const { session, close } = await elsewhere(client);
    const { data, errors } = await session.graph<State>(state);
    expect(errors).toEqual([]);
    expect(data?.vault).toMatchObject({
      ...none,
      state: 'LOCKED',
      version: expect.any(String),
      uptimeSeconds: expect.any(Number),
      checks: [{ healthy: true }],
    });
    await close();
    client.close();
  });

  it('whose monitoring is off is healthy, and has no figures', async () => {
    const server = await receiver(({ url }, response) => {
      const body = { status: 'healthy', version: '1.0.0', uptimeSeconds: 5, checks: {} };
      response.writeHead(url === '/health' ? 200 : 404, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          url === '/health' ? body : { status: 'error', message: 'Monitoring is off' },
        ),
      );
    });
    const client = createVaultClient({ url: server.url, secret: vaultSecret });
    const { session, close } = await elsewhere(client);
    const { data, errors } = await session.graph<State>(state);
    expect(errors).toEqual([]);
    expect(data?.vault).toEqual({ ...none, state: 'HEALTHY', version: '1.0.0', uptimeSeconds: 5 });
    await close();
    client.close();
    await server.stop();
  });

  it('that is away, that is no vault, or that has lost its database is an answer without an error as well', async () => {
    let isIll = false;
    const server = await receiver((_, response) => {
      if (!isIll) return void response.end('<h1>It works!</h1>');
      const checks = { vectorDb: { status: 'unhealthy', latencyMs: null } };
      response.writeHead(503, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          status: 'unhealthy',
          version: '1.0.0',
          uptimeSeconds: 5,
          checks,
          message: 'not now',
        }),
      );
    });
    const client = createVaultClient({ url: server.url, secret: vaultSecret });
    const { session, expectAway, close } = await elsewhere(client);
    await expectAway('AWAY');
    await server.stop();
    await expectAway('AWAY');
    isIll = true;
    await server.start();
    const { data, errors } = await session.graph<State>(state);
    expect(errors).toEqual([]);
    const checks = [{ name: 'vectorDb', healthy: false, latencyMs: null }];
    expect(data?.vault).toEqual({
      ...none,
      state: 'UNHEALTHY',
      version: '1.0.0',
      uptimeSeconds: 5,
      checks,
    });
    await close();
    client.close();
    await server.stop();
  });
});
