import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp, TestOrganization } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { type FilledVault, filledVault } from '../../support/filled-vault.ts';
import { fileOf } from '../../support/shelf.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';
import type { VaultParts } from '../../support/vault-parts.ts';

let filled: FilledVault;
let parts: VaultParts;
let app: TestApp;
let us: TestOrganization;
let administrator: TestSession;
let colleague: TestPerson;
let assistantId: string;
beforeAll(async () => {
  filled = await filledVault();
  ({ parts, app, us, administrator, colleague, assistantId } = filled);
});
afterAll(() => filled.close());

const documents = `query ($page: PageNumber! = 1, $pageSize: PageSize! = 20, $assistantId: ResourceId, $search: SearchText) {
  vaultDocuments(page: $page, pageSize: $pageSize, assistantId: $assistantId, search: $search) {
    total totalPages items { assistantId assistantName file { id originalName processingStatus } inVault { state passages embedding updatedAt } } } }`;
type Documents = {
  vaultDocuments: {
    total: number;
    items: {
      assistantId: string;
      file: { id: string; originalName: string };
      inVault: Record<string, unknown>;
    }[];
  };
};

describe('vaultDocuments', () => {
  it('shows each file of the organization with what the vault holds of it', async () => {
    const { data, errors } = await administrator.graph<Documents>(documents, { assistantId });
    expect(errors).toEqual([]);
    expect(data?.vaultDocuments).toMatchObject({ total: 3, totalPages: 1 });
    for (const { assistantId: of, inVault } of data?.vaultDocuments.items ?? []) {
      expect(of).toBe(assistantId);
      expect(inVault).toEqual({
        state: 'FOUND',
        passages: 1,
        embedding: expect.stringMatching(/./),
        updatedAt: expect.stringMatching(/^\d{4}-/),
      });
    }
  });

  it('tells a file that is missing, and one whose version before still answers', async () => {
    const missing = await fileOf(app, us, assistantId, 'lost.pdf');
    const before = 'the-version-before';
    await parts.put(assistantId, before, 'The old text of the contract.');
    const pending = await fileOf(app, us, assistantId, 'contract.pdf');
    await app.database.prisma.assistantFile.update({
      where: { id: pending },
      data: { status: 'PENDING', replacesId: before },
    });
    const { data } = await administrator.graph<Documents>(documents);
    const stateOf = (id: string) =>
      data?.vaultDocuments.items.find(({ file }) => file.id === id)?.inVault;
    expect(stateOf(missing)).toEqual({
      state: 'MISSING',
      passages: null,
      embedding: null,
      updatedAt: null,
    });
    expect(stateOf(pending)).toMatchObject({ state: 'PREVIOUS', passages: 1 });
    await app.database.prisma.assistantFile.deleteMany({
      where: { id: { in: [missing, pending] } },
    });
    await parts.client.remove({ collection: assistantId, document: before });
  });

  it('finds names by any part of them, signs of patterns included, and pages through them newest first', async () => {
    const odd = await fileOf(app, us, assistantId, '100%_done.csv');
    const named = async (search: string) =>
      (await administrator.graph<Documents>(documents, { search })).data?.vaultDocuments.items.map(
        ({ file }) => file.originalName,
      );
    expect(await named('TRAVEL')).toEqual(['travel.txt']);
    expect(await named('%_')).toEqual(['100%_done.csv']);
    const whole = (await administrator.graph<Documents>(documents)).data?.vaultDocuments.items.map(
      ({ file }) => file.id,
    );
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
    const theirFile = await filled.shelved(
      them,
      theirAssistant,
      'secret.txt',
      'The secret plan of the others.',
    );
    for (const variables of [{}, { assistantId: theirAssistant }, { search: 'secret' }]) {
      const { data } = await administrator.graph(documents, variables);
      expect(JSON.stringify(data)).not.toContain('ecret');
      expect(JSON.stringify(data)).not.toContain(theirFile);
    }
    const search = await administrator.graph(
      `{ vaultSearch(assistantId: "${theirAssistant}", query: "secret") { passages { text } } }`,
    );
    expect({ code: search.code, data: search.data }).toEqual({ code: 'NOT_FOUND', data: null });
  });
});

const search = `query ($assistantId: ResourceId!, $query: VaultQuery!, $limit: PassageCount! = 8, $mode: VaultSearchMode! = hybrid) {
  vaultSearch(assistantId: $assistantId, query: $query, limit: $limit, mode: $mode) {
    passages { documentId originalName ordinal text page headings score fused rerank keyword { rank score share } vector { rank score share } }
    leftOut { reason passage { originalName text } like { originalName } }
    candidates { keyword vector distinct } nearDuplicates belowLimit notes tookMs } }`;
type Stage = { rank: number; score: number; share: number } | null;
type Passage = {
  documentId: string;
  originalName: string;
  text: string;
  score: number;
  fused: number;
  keyword: Stage;
  vector: Stage;
};
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
    const { data, errors } = await administrator.graph<Found>(search, {
      assistantId,
      query: 'travel expenses receipt',
      ...variables,
    });
    expect(errors).toEqual([]);
    if (!data) throw new Error('nothing was answered');
    return data.vaultSearch;
  };

  it('finds what a run finds, in its order, each with what every stage gave it', async () => {
    const found = await ask({});
    const run = await parts.client.search({
      collection: assistantId,
      query: 'travel expenses receipt',
      limit: 8,
    });
    expect(found.passages.map(({ documentId, score }) => [documentId, score])).toEqual(
      run.passages.map(({ document, score }) => [document, score]),
    );
    const [best] = found.passages;
    expect(best).toMatchObject({
      originalName: expect.stringMatching(/^(travel|copy)\.txt$/),
      keyword: { rank: 1 },
      vector: { rank: expect.any(Number) },
    });
    for (const { keyword, vector, fused } of found.passages)
      expect((keyword?.share ?? 0) + (vector?.share ?? 0)).toBeCloseTo(fused, 12);
  });

  it('tells what was left out, and why', async () => {
    const { passages, leftOut, nearDuplicates, belowLimit, candidates } = await ask({ limit: 1 });
    const [best] = passages;
    const copy = leftOut.find(({ reason }) => reason === 'NEAR_DUPLICATE');
    expect(copy?.like?.originalName).toBe(best?.originalName);
    expect(copy?.passage.originalName).not.toBe(best?.originalName);
    expect(leftOut.filter(({ reason }) => reason === 'BELOW_LIMIT')).toHaveLength(belowLimit);
    expect({ nearDuplicates, distinct: candidates.distinct }).toEqual({
      nearDuplicates: 1,
      distinct: 1 + belowLimit,
    });
  });

  it('shows no passage as found whose file is gone, and says so', async () => {
    await parts.put(assistantId, 'nobody', 'The receipt of a file that was deleted a moment ago.');
    const { passages, leftOut } = await ask({ query: 'receipt of a file that was deleted' });
    expect(passages.every(({ documentId }) => filled.fileIds.includes(documentId))).toBe(true);
    expect(leftOut).toContainEqual(
      expect.objectContaining({
        reason: 'NO_FILE',
        passage: expect.objectContaining({ originalName: null }),
      }),
    );
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
    expect(await ask({ assistantId: empty })).toMatchObject({
      passages: [],
      leftOut: [],
      candidates: { distinct: 0 },
    });
  });

  it('is refused on an assistant that the administrator may not view, and where files are not enabled', async () => {
    const own = await assistantOf(colleague);
    expect((await administrator.graph(search, { assistantId: own, query: 'x' })).code).toBe(
      'FORBIDDEN',
    );
    const plain = await app.organization({ features: [] });
    const session = await signIn(app, plain.administratorId);
    expect((await session.graph(search, { assistantId: own, query: 'x' })).code).toBe(
      'FEATURE_DISABLED',
    );
    expect((await session.graph(documents)).code).toBe('FEATURE_DISABLED');
  });

  it('refuses a question of no words, too many, and too many passages', async () => {
    for (const variables of [
      { query: '  ' },
      { query: 'x'.repeat(1001) },
      { query: 'x', limit: 51 },
      { query: 'x', limit: 0 },
    ])
      expect((await administrator.graph(search, { assistantId, ...variables })).data).toBeNull();
  });
});
