import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPlatformSupport } from '../../../src/modules/accounts/set-platform-support.ts';
import { createVaultClient, type VaultClient } from '../../../src/vault/client.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { fileOf } from '../../support/shelf.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';
import { receiver, vaultSecret } from '../../support/vault.ts';
import { type VaultParts, vaultParts } from '../../support/vault-parts.ts';

let parts: VaultParts;
let app: TestApp;
let us: TestOrganization;
let administrator: TestSession;
let colleague: TestPerson;
let assistantId: string;

const texts: Record<string, string> = {
  'travel.txt': 'Travel expenses are paid back within two weeks. Keep every receipt.',
  'copy.txt': 'Travel expenses are paid back within two weeks. Keep every receipt!',
  'leave.txt': 'Employees have thirty days of vacation in a year. Days of travel count as days of work.',
};
const fileIds: Record<string, string> = {};

/** A file that is processed, and its passages in the vault. */
async function shelved(organization: TestOrganization, assistant: string, name: string, text: string): Promise<string> {
  const id = await fileOf(app, organization, assistant, name);
  expect((await parts.put(assistant, id, text)).status).toBe(200);
  return id;
}

beforeAll(async () => {
  parts = await vaultParts();
  app = await testApp({ USER_KEY_LIMIT: '100000' }, { vault: parts.client });
  us = await app.organization();
  colleague = await personIn(app, us);
  assistantId = await assistantOf(colleague);
  await share(colleague, assistantId, 'VIEW', { userId: us.administratorId });
  for (const [name, text] of Object.entries(texts)) fileIds[name] = await shelved(us, assistantId, name, text);
  administrator = await signIn(app, us.administratorId);
});
afterAll(async () => {
  await app.close();
  await parts.close();
});

const state = `{ vault { state version uptimeSeconds checks { name healthy latencyMs }
  system { at cpu { usagePercent cores loadAverage } memory { usagePercent } disks { path usagePercent } database { healthy documentCount } process { rssBytes } reembedding }
  figures(minutes: 60) { at cpuPercent memoryPercent storagePercent documentCount } rateLimit { limit remaining limited resetsAt } } }`;
type State = { vault: Record<string, unknown> & { system: Record<string, Record<string, unknown>>; figures: Record<string, unknown>[] } };

describe('vault', () => {
  it('tells an administrator how it is, what it needs, and figures of its machine', async () => {
    const { data, errors } = await administrator.graph<State>(state);
    expect(errors).toEqual([]);
    expect(data?.vault).toMatchObject({
      state: 'HEALTHY',
      version: expect.stringMatching(/^\d+\.\d+/),
      checks: [{ name: 'vectorDb', healthy: true, latencyMs: expect.any(Number) }],
      system: { cpu: { usagePercent: expect.any(Number) }, memory: { usagePercent: expect.any(Number) }, database: { healthy: true }, reembedding: null },
      rateLimit: { limit: 6000, limited: false },
    });
    expect(data?.vault.figures.at(-1)).toMatchObject({ cpuPercent: expect.any(Number), storagePercent: expect.any(Number) });
  });

  it('tells what all organizations together have, and where it lies, to platform support alone', async () => {
    const told = async () => {
      const { data } = await administrator.graph<State>(state);
      const { system, figures } = data?.vault ?? { system: {}, figures: [] };
      const disks = system['disks'] as unknown as { path: string | null }[];
      return [system['database']?.['documentCount'], disks[0]?.path, figures.at(-1)?.['documentCount']];
    };
    expect(await told()).toEqual([null, null, null]);
    const { email } = await app.database.prisma.user.findUniqueOrThrow({ where: { id: us.administratorId } });
    await setPlatformSupport({ email, isPlatformSupport: true }, app);
    expect(await told()).toEqual([expect.any(Number), expect.any(String), expect.any(Number)]);
    await setPlatformSupport({ email, isPlatformSupport: false }, app);
  });

  it('is for administrators who are signed in: no key, no other member and nobody sees it', async () => {
    const member = await signIn(app, colleague.id);
    for (const query of [state, '{ vaultDocuments { total } }', '{ vaultSearch(assistantId: "x", query: "x") { tookMs } }']) {
      expect((await member.graph(query)).code).toBe('FORBIDDEN');
      for (const key of [us.key, colleague.key]) expect((await app.graph(key, query)).errors[0]?.extensions?.code).toBe('FORBIDDEN');
      expect((await app.request('POST', '/graphql', { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })).text).toContain(
        'UNAUTHENTICATED',
      );
    }
  });

  it('refuses a look back of less than a minute or more than a day', async () => {
    for (const minutes of [0, 1441]) {
      const { errors } = await administrator.graph(`{ vault { figures(minutes: ${minutes}) { at } } }`);
      expect(errors[0]?.message).toContain('1 to 1440');
    }
  });

  const none = { version: null, uptimeSeconds: null, checks: [], system: null, figures: [], rateLimit: null };

  /** An application with this vault or none, and the administrator of an organization there with one file. */
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
      expect(await session.graph('{ vaultDocuments { items { file { originalName } inVault { state passages } } } }')).toMatchObject({
        errors: [],
        data: { vaultDocuments: { items: [{ file: { originalName: 'kept.pdf' }, inVault: { state: 'UNKNOWN', passages: null } }] } },
      });
      expect((await session.graph(`{ vaultSearch(assistantId: "${ownId}", query: "x") { tookMs } }`)).code).toBe('UNAVAILABLE');
    };
    return { session, expectAway, close: other.close };
  }

  it('that is not there at all is an answer without an error, and so are its documents', async () => {
    const { expectAway, close } = await elsewhere();
    await expectAway('NONE');
    await close();
  });

  it('that is away, that is no vault, or that has lost its database is an answer without an error as well', async () => {
    let isIll = false;
    const server = await receiver((_, response) => {
      if (!isIll) return void response.end('<h1>It works!</h1>');
      const checks = { vectorDb: { status: 'unhealthy', latencyMs: null } };
      response.writeHead(503, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ status: 'unhealthy', version: '1.0.0', uptimeSeconds: 5, checks, message: 'not now' }));
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
    expect(data?.vault).toEqual({ ...none, state: 'UNHEALTHY', version: '1.0.0', uptimeSeconds: 5, checks });
    await close();
    client.close();
    await server.stop();
  });
});

const documents = `query ($page: PageNumber! = 1, $pageSize: PageSize! = 20, $assistantId: ResourceId, $search: SearchText) {
  vaultDocuments(page: $page, pageSize: $pageSize, assistantId: $assistantId, search: $search) {
    total totalPages items { assistantId assistantName file { id originalName processingStatus } inVault { state passages embedding updatedAt } } } }`;
type Documents = {
  vaultDocuments: { total: number; items: { assistantId: string; file: { id: string; originalName: string }; inVault: Record<string, unknown> }[] };
};

describe('vaultDocuments', () => {
  it('shows each file of the organization with what the vault holds of it', async () => {
    const { data, errors } = await administrator.graph<Documents>(documents, { assistantId });
    expect(errors).toEqual([]);
    expect(data?.vaultDocuments).toMatchObject({ total: 3, totalPages: 1 });
    for (const { assistantId: of, inVault } of data?.vaultDocuments.items ?? []) {
      expect(of).toBe(assistantId);
      expect(inVault).toEqual({ state: 'FOUND', passages: 1, embedding: expect.stringMatching(/./), updatedAt: expect.stringMatching(/^\d{4}-/) });
    }
  });

  it('tells a file that is missing, and one whose version before still answers', async () => {
    const missing = await fileOf(app, us, assistantId, 'lost.pdf');
    const before = 'the-version-before';
    await parts.put(assistantId, before, 'The old text of the contract.');
    const pending = await fileOf(app, us, assistantId, 'contract.pdf');
    await app.database.prisma.assistantFile.update({ where: { id: pending }, data: { status: 'PENDING', replacesId: before } });
    const { data } = await administrator.graph<Documents>(documents);
    const stateOf = (id: string) => data?.vaultDocuments.items.find(({ file }) => file.id === id)?.inVault;
    expect(stateOf(missing)).toEqual({ state: 'MISSING', passages: null, embedding: null, updatedAt: null });
    expect(stateOf(pending)).toMatchObject({ state: 'PREVIOUS', passages: 1 });
    await app.database.prisma.assistantFile.deleteMany({ where: { id: { in: [missing, pending] } } });
    await parts.client.remove({ collection: assistantId, document: before });
  });

  it('finds names by any part of them, signs of patterns included, and pages through them newest first', async () => {
    const odd = await fileOf(app, us, assistantId, '100%_done.csv');
    const named = async (search: string) =>
      (await administrator.graph<Documents>(documents, { search })).data?.vaultDocuments.items.map(({ file }) => file.originalName);
    expect(await named('TRAVEL')).toEqual(['travel.txt']);
    expect(await named('%_')).toEqual(['100%_done.csv']);
    const whole = (await administrator.graph<Documents>(documents)).data?.vaultDocuments.items.map(({ file }) => file.id);
    const paged: string[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const { data } = await administrator.graph<Documents>(documents, { page, pageSize: 2 });
      expect(data?.vaultDocuments.total).toBe(4);
      paged.push(...(data?.vaultDocuments.items.map(({ file }) => file.id) ?? []));
    }
    expect(paged).toEqual(whole);
    await app.database.prisma.assistantFile.delete({ where: { id: odd } });
  });

  it('shows nothing of another organization, not even by the id of its assistant', async () => {
    const them = await app.organization();
    const their = await personIn(app, them);
    const theirAssistant = await assistantOf(their, { name: 'Secret plans' });
    const theirFile = await shelved(them, theirAssistant, 'secret.txt', 'The secret plan of the others.');
    for (const variables of [{}, { assistantId: theirAssistant }, { search: 'secret' }]) {
      const { data } = await administrator.graph(documents, variables);
      expect(JSON.stringify(data)).not.toContain('ecret');
      expect(JSON.stringify(data)).not.toContain(theirFile);
    }
    const search = await administrator.graph(`{ vaultSearch(assistantId: "${theirAssistant}", query: "secret") { passages { text } } }`);
    expect({ code: search.code, data: search.data }).toEqual({ code: 'NOT_FOUND', data: null });
  });
});

const search = `query ($assistantId: ResourceId!, $query: VaultQuery!, $limit: PassageCount! = 8, $mode: VaultSearchMode! = hybrid) {
  vaultSearch(assistantId: $assistantId, query: $query, limit: $limit, mode: $mode) {
    passages { documentId originalName ordinal text page headings score fused rerank keyword { rank score share } vector { rank score share } }
    leftOut { reason passage { originalName text } like { originalName } }
    candidates { keyword vector distinct } nearDuplicates belowLimit notes tookMs } }`;
type Stage = { rank: number; score: number; share: number } | null;
type Passage = { documentId: string; originalName: string; text: string; score: number; fused: number; keyword: Stage; vector: Stage };
type Found = {
  vaultSearch: {
    passages: Passage[];
    leftOut: { reason: string; passage: Passage; like: Passage | null }[];
    candidates: { distinct: number };
    nearDuplicates: number;
    belowLimit: number;
  };
};

describe('vaultSearch', () => {
  const ask = async (variables: Record<string, unknown>) => {
    const { data, errors } = await administrator.graph<Found>(search, { assistantId, query: 'travel expenses receipt', ...variables });
    expect(errors).toEqual([]);
    if (!data) throw new Error('nothing was answered');
    return data.vaultSearch;
  };

  it('finds what a run finds, in its order, each with what every stage gave it', async () => {
    const found = await ask({});
    const run = await parts.client.search({ collection: assistantId, query: 'travel expenses receipt', limit: 8 });
    expect(found.passages.map(({ documentId, score }) => [documentId, score])).toEqual(run.passages.map(({ document, score }) => [document, score]));
    const [best] = found.passages;
    expect(best).toMatchObject({ originalName: expect.stringMatching(/^(travel|copy)\.txt$/), keyword: { rank: 1 }, vector: { rank: expect.any(Number) } });
    for (const { keyword, vector, fused } of found.passages) expect((keyword?.share ?? 0) + (vector?.share ?? 0)).toBeCloseTo(fused, 12);
  });

  it('tells what was left out, and why', async () => {
    const { passages, leftOut, nearDuplicates, belowLimit, candidates } = await ask({ limit: 1 });
    const [best] = passages;
    const copy = leftOut.find(({ reason }) => reason === 'NEAR_DUPLICATE');
    expect(copy?.like?.originalName).toBe(best?.originalName);
    expect(copy?.passage.originalName).not.toBe(best?.originalName);
    expect(leftOut.filter(({ reason }) => reason === 'BELOW_LIMIT')).toHaveLength(belowLimit);
    expect({ nearDuplicates, distinct: candidates.distinct }).toEqual({ nearDuplicates: 1, distinct: 1 + belowLimit });
  });

  it('shows no passage as found whose file is gone, and says so', async () => {
    await parts.put(assistantId, 'nobody', 'The receipt of a file that was deleted a moment ago.');
    const { passages, leftOut } = await ask({ query: 'receipt of a file that was deleted' });
    expect(passages.every(({ documentId }) => Object.values(fileIds).includes(documentId))).toBe(true);
    expect(leftOut).toContainEqual(expect.objectContaining({ reason: 'NO_FILE', passage: expect.objectContaining({ originalName: null }) }));
    await parts.client.remove({ collection: assistantId, document: 'nobody' });
  });

  it('asks one half alone where that is wanted', async () => {
    const [keyword, vector] = [await ask({ mode: 'keyword' }), await ask({ mode: 'vector' })];
    expect(keyword.passages.length).toBeGreaterThan(0);
    expect(keyword.passages.every((passage) => passage.vector === null)).toBe(true);
    expect(vector.passages.length).toBeGreaterThan(0);
    expect(vector.passages.every((passage) => passage.keyword === null)).toBe(true);
  });

  it('finds nothing on an assistant without files', async () => {
    const empty = await assistantOf(colleague);
    await share(colleague, empty, 'VIEW');
    expect(await ask({ assistantId: empty })).toMatchObject({ passages: [], leftOut: [], candidates: { distinct: 0 } });
  });

  it('is refused on an assistant that the administrator may not view, and where files are not enabled', async () => {
    const own = await assistantOf(colleague);
    expect((await administrator.graph(search, { assistantId: own, query: 'x' })).code).toBe('FORBIDDEN');
    const plain = await app.organization({ features: [] });
    const session = await signIn(app, plain.administratorId);
    expect((await session.graph(search, { assistantId: own, query: 'x' })).code).toBe('FEATURE_DISABLED');
    expect((await session.graph(documents)).code).toBe('FEATURE_DISABLED');
  });

  it('refuses a question of no words, too many, and too many passages', async () => {
    for (const variables of [{ query: '  ' }, { query: 'x'.repeat(1001) }, { query: 'x', limit: 51 }, { query: 'x', limit: 0 }])
      expect((await administrator.graph(search, { assistantId, ...variables })).data).toBeNull();
  });
});
