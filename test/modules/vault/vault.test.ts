import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPlatformSupport } from '../../../src/modules/accounts/set-platform-support.ts';
import { createVaultClient, type VaultClient } from '../../../src/vault/client.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share } from '../../support/assistants.ts';
import { type FilledVault, filledVault } from '../../support/filled-vault.ts';
import { createProcessedFile } from '../../support/search-vault-stub.ts';
import { giveSecondFactor } from '../../support/second-factor.ts';
import { signIn } from '../../support/sign-in.ts';
import { receiver, vaultSecret } from '../../support/vault.ts';

let filledApp: FilledVault;
beforeAll(async () => {
  filledApp = await filledVault();
});
afterAll(() => filledApp.close());

const vaultQuery = `{ vault { state version uptimeSeconds checks { name healthy latencyMs }
  system { at cpu { usagePercent cores loadAverage } memory { usagePercent } disks { path usagePercent } database { healthy documentCount } process { rssBytes } reembedding }
  figures(minutes: 60) { at cpuPercent memoryPercent storagePercent documentCount } rateLimit { limit remaining limited resetsAt } } }`;
type VaultAnswer = {
  vault: Record<string, unknown> & {
    system: Record<string, Record<string, unknown>>;
    figures: Record<string, unknown>[];
  };
};

/** Each metric is sampled at its own interval, so the last point may lack some of them. */
const lastSample = (figures: Record<string, unknown>[], name: string) =>
  figures.map((point) => point[name]).findLast((value) => value !== null) ?? null;

async function makeSupport(app: TestApp, userId: string, isPlatformSupport = true): Promise<void> {
  const { email } = await app.database.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  await setPlatformSupport({ email, isPlatformSupport }, app);
  if (isPlatformSupport) await giveSecondFactor(app, userId);
}

describe('The query vault', () => {
  it('An administrator sees the state of the vault and its checks, and no figure of its machine', async () => {
    const { data, errors } = await filledApp.administrator.graph<VaultAnswer>(vaultQuery);
    expect(errors).toEqual([]);
    expect(data?.vault).toMatchObject({
      state: 'HEALTHY',
      version: null,
      uptimeSeconds: null,
      checks: [{ name: 'vectorDb', healthy: true, latencyMs: expect.any(Number) }],
      system: {
        ...{ cpu: null, memory: null, disks: null, process: null, reembedding: null },
        database: { healthy: true, documentCount: null },
      },
      rateLimit: { limit: 60000, limited: false },
    });
    for (const name of ['cpuPercent', 'memoryPercent', 'storagePercent', 'documentCount'])
      expect(lastSample(data?.vault.figures ?? [], name)).toBe(null);
  });

  it('Platform support sees the figures of the machine, the path of the disk, and the document count of all organizations', async () => {
    const { app, organization } = filledApp;
    await makeSupport(app, organization.administratorId);
    const { data } = await filledApp.administrator.graph<VaultAnswer>(vaultQuery);
    expect(data?.vault).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+/),
      uptimeSeconds: expect.any(Number),
      system: {
        cpu: { usagePercent: expect.any(Number) },
        memory: { usagePercent: expect.any(Number) },
        disks: expect.arrayContaining([expect.objectContaining({ path: expect.any(String) })]),
        database: { documentCount: expect.any(Number) },
        process: { rssBytes: expect.any(Number) },
      },
    });
    for (const name of ['cpuPercent', 'storagePercent', 'documentCount'])
      expect(lastSample(data?.vault.figures ?? [], name)).toEqual(expect.any(Number));
    await makeSupport(app, organization.administratorId, false);
  });

  it('Only administrators who are signed in can query the vault: keys and other members cannot', async () => {
    const { app, organization, colleague } = filledApp;
    const member = await signIn(app, colleague.id);
    for (const query of [
      vaultQuery,
      '{ vaultDocuments { totalCount } }',
      '{ vaultSearch(assistantId: "x", query: "x") { tookMs } }',
    ]) {
      expect((await member.graph(query)).code).toBe('FORBIDDEN');
      for (const key of [organization.key, colleague.key])
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

  it('A time span of less than a minute or more than a day is refused', async () => {
    for (const minutes of [0, 1441]) {
      const { errors } = await filledApp.administrator.graph(
        `{ vault { figures(minutes: ${minutes}) { at } } }`,
      );
      expect(errors[0]?.message).toContain('1 to 1440');
    }
  });

  const unavailableVault = {
    version: null,
    uptimeSeconds: null,
    checks: [],
    system: null,
    figures: [],
    rateLimit: null,
  };

  /**
   * Creates an application with this vault or without one, and an administrator of an organization
   * with one file.
   */
  async function createOtherApp(vault?: VaultClient) {
    const otherApp = await testApp({}, vault ? { vault } : {});
    const organization = await otherApp.organization();
    const owner = await personIn(otherApp, organization);
    const assistantId = await assistantOf(owner);
    await share(owner, assistantId, 'VIEW', { userId: organization.administratorId });
    await createProcessedFile(otherApp, organization, assistantId, 'kept.pdf');
    const session = await signIn(otherApp, organization.administratorId);
    await makeSupport(otherApp, organization.administratorId);
    const expectAway = async (expected: string) => {
      const { data, errors } = await session.graph<VaultAnswer>(vaultQuery);
      expect(errors).toEqual([]);
      expect(data?.vault).toEqual({ state: expected, ...unavailableVault });
      expect(
        await session.graph(
          '{ vaultDocuments { nodes { file { originalName } inVault { state passages } } } }',
        ),
      ).toMatchObject({
        errors: [],
        data: {
          vaultDocuments: {
            nodes: [
              {
                file: { originalName: 'kept.pdf' },
                inVault: { state: 'UNKNOWN', passages: null },
              },
            ],
          },
        },
      });
      expect(
        (
          await session.graph(
            `{ vaultSearch(assistantId: "${assistantId}", query: "x") { tookMs } }`,
          )
        ).code,
      ).toBe('UNAVAILABLE');
    };
    return { session, expectAway, close: otherApp.close };
  }

  it('Without a configured vault, the state is NONE and the documents are UNKNOWN, without an error', async () => {
    const { expectAway, close } = await createOtherApp();
    await expectAway('NONE');
    await close();
  });

  it('A vault with another secret is LOCKED and shows only its health', async () => {
    const client = createVaultClient({ url: filledApp.vault.url, secret: 'another secret' });
    const { session, close } = await createOtherApp(client);
    const { data, errors } = await session.graph<VaultAnswer>(vaultQuery);
    expect(errors).toEqual([]);
    expect(data?.vault).toMatchObject({
      ...unavailableVault,
      state: 'LOCKED',
      version: expect.any(String),
      uptimeSeconds: expect.any(Number),
      checks: [{ healthy: true }],
    });
    await close();
    client.close();
  });

  it('A vault whose monitoring is off is HEALTHY and has no metrics', async () => {
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
    const { session, close } = await createOtherApp(client);
    const { data, errors } = await session.graph<VaultAnswer>(vaultQuery);
    expect(errors).toEqual([]);
    expect(data?.vault).toEqual({
      ...unavailableVault,
      state: 'HEALTHY',
      version: '1.0.0',
      uptimeSeconds: 5,
    });
    await close();
    client.close();
    await server.stop();
  });

  it('A vault that is down, another server at its address, and a vault without its database are states, not errors', async () => {
    let isUnhealthy = false;
    const server = await receiver((_, response) => {
      if (!isUnhealthy) return void response.end('<h1>It works!</h1>');
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
    const { session, expectAway, close } = await createOtherApp(client);
    await expectAway('AWAY');
    await server.stop();
    await expectAway('AWAY');
    isUnhealthy = true;
    await server.start();
    const { data, errors } = await session.graph<VaultAnswer>(vaultQuery);
    expect(errors).toEqual([]);
    const checks = [{ name: 'vectorDb', healthy: false, latencyMs: null }];
    expect(data?.vault).toEqual({
      ...unavailableVault,
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
