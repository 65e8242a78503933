import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp, TestOrganization } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { type FilledVault, filledVault } from '../../support/filled-vault.ts';
import { createProcessedFile } from '../../support/search-vault-stub.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';
import type { VaultServers } from '../../support/vault-servers.ts';

let filledApp: FilledVault;
let startVaultServers: VaultServers;
let app: TestApp;
let organization: TestOrganization;
let administrator: TestSession;
let colleague: TestPerson;
let assistantId: string;
beforeAll(async () => {
  filledApp = await filledVault();
  ({
    vault: startVaultServers,
    app,
    organization,
    administrator,
    colleague,
    assistantId,
  } = filledApp);
});
afterAll(() => filledApp.close());

const documentsQuery = `query ($page: SafeInt! = 1, $pageSize: Int! = 20, $assistantId: ID, $search: String) {
  vaultDocuments(page: $page, pageSize: $pageSize, assistantId: $assistantId, search: $search) {
    totalCount totalPages nodes { assistantId assistantName file { id originalName processingStatus } inVault { state passages embedding updatedAt } } } }`;
type DocumentsAnswer = {
  vaultDocuments: {
    totalCount: number;
    nodes: {
      assistantId: string;
      file: { id: string; originalName: string };
      inVault: Record<string, unknown>;
    }[];
  };
};

describe('The query vaultDocuments', () => {
  it('Each file of the organization is listed with what the vault holds of it', async () => {
    const { data, errors } = await administrator.graph<DocumentsAnswer>(documentsQuery, {
      assistantId,
    });
    expect(errors).toEqual([]);
    expect(data?.vaultDocuments).toMatchObject({ totalCount: 3, totalPages: 1 });
    for (const { assistantId: listedAssistantId, inVault } of data?.vaultDocuments.nodes ?? []) {
      expect(listedAssistantId).toBe(assistantId);
      expect(inVault).toEqual({
        state: 'FOUND',
        passages: 1,
        embedding: expect.stringMatching(/./),
        updatedAt: expect.stringMatching(/^\d{4}-/),
      });
    }
  });

  it('A file without a document is MISSING, and one whose previous version is still searched is PREVIOUS', async () => {
    const missing = await createProcessedFile(app, organization, assistantId, 'lost.pdf');
    const previousVersionId = 'the-version-before';
    await startVaultServers.put(assistantId, previousVersionId, 'The old text of the contract.');
    const pending = await createProcessedFile(app, organization, assistantId, 'contract.pdf');
    await app.database.prisma.assistantFile.update({
      where: { id: pending },
      data: { status: 'PENDING', replacesId: previousVersionId },
    });
    const { data } = await administrator.graph<DocumentsAnswer>(documentsQuery);
    const stateOf = (id: string) =>
      data?.vaultDocuments.nodes.find(({ file }) => file.id === id)?.inVault;
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
    await startVaultServers.client.remove({ collection: assistantId, document: previousVersionId });
  });

  it('The search matches any part of a name, including % and _, and the pages are newest first', async () => {
    const oddFileId = await createProcessedFile(app, organization, assistantId, '100%_done.csv');
    const namesMatching = async (search: string) =>
      (
        await administrator.graph<DocumentsAnswer>(documentsQuery, { search })
      ).data?.vaultDocuments.nodes.map(({ file }) => file.originalName);
    expect(await namesMatching('TRAVEL')).toEqual(['travel.txt']);
    expect(await namesMatching('%_')).toEqual(['100%_done.csv']);
    const allIds = (
      await administrator.graph<DocumentsAnswer>(documentsQuery)
    ).data?.vaultDocuments.nodes.map(({ file }) => file.id);
    const pagedIds: string[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const { data } = await administrator.graph<DocumentsAnswer>(documentsQuery, {
        page,
        pageSize: 2,
      });
      expect(data?.vaultDocuments.totalCount).toBe(4);
      pagedIds.push(...(data?.vaultDocuments.nodes.map(({ file }) => file.id) ?? []));
    }
    expect(pagedIds).toEqual(allIds);
    await app.database.prisma.assistantFile.delete({ where: { id: oddFileId } });
  });

  it('Nothing of another organization is shown, even with the id of its assistant', async () => {
    const otherOrganization = await app.organization();
    const otherPerson = await personIn(app, otherOrganization);
    const otherAssistantId = await assistantOf(otherPerson, { name: 'Secret plans' });
    const otherFileId = await filledApp.addDocument(
      otherOrganization,
      otherAssistantId,
      'secret.txt',
      'The secret plan of the others.',
    );
    for (const variables of [{}, { assistantId: otherAssistantId }, { search: 'secret' }]) {
      const { data } = await administrator.graph(documentsQuery, variables);
      expect(JSON.stringify(data)).not.toContain('ecret');
      expect(JSON.stringify(data)).not.toContain(otherFileId);
    }
    const searchQuery = await administrator.graph(
      `{ vaultSearch(assistantId: "${otherAssistantId}", query: "secret") { passages { text } } }`,
    );
    expect({ code: searchQuery.code, data: searchQuery.data }).toEqual({
      code: 'NOT_FOUND',
      data: null,
    });
  });
});

const searchQuery = `query ($assistantId: ID!, $query: String!, $limit: Int! = 8, $mode: VaultSearchMode! = HYBRID) {
  vaultSearch(assistantId: $assistantId, query: $query, limit: $limit, mode: $mode) {
    passages { documentId originalName ordinal text page headings score fused rerank keyword { rank score share } vector { rank score share } coverage { rank score share } }
    leftOut { reason passage { originalName text } like { originalName } }
    candidates { keyword vector distinct } nearDuplicates belowLimit notes tookMs } }`;
type StageScore = { rank: number; score: number; share: number } | null;
type PassageAnswer = {
  documentId: string;
  originalName: string;
  text: string;
  score: number;
  fused: number;
  keyword: StageScore;
  vector: StageScore;
  coverage: StageScore;
};
type SearchAnswer = {
  vaultSearch: {
    passages: PassageAnswer[];
    leftOut: { reason: string; passage: PassageAnswer; like: PassageAnswer | null }[];
    candidates: { distinct: number };
    nearDuplicates: number;
    belowLimit: number;
  };
};

describe('The query vaultSearch', () => {
  const searchVault = async (variables: Record<string, unknown>) => {
    const { data, errors } = await administrator.graph<SearchAnswer>(searchQuery, {
      assistantId,
      query: 'travel expenses receipt',
      ...variables,
    });
    expect(errors).toEqual([]);
    if (!data) throw new Error('nothing was answered');
    return data.vaultSearch;
  };

  it('The search finds what a run finds, in the same order, with the scores of each stage', async () => {
    const result = await searchVault({});
    const run = await startVaultServers.client.search({
      collection: assistantId,
      query: 'travel expenses receipt',
      limit: 8,
    });
    expect(result.passages.map(({ documentId, score }) => [documentId, score])).toEqual(
      run.passages.map(({ document, score }) => [document, score]),
    );
    const [best] = result.passages;
    // Two files have the same text, so the ranks 1 and 2 are theirs in either order.
    expect(best).toMatchObject({
      originalName: expect.stringMatching(/^(travel|copy)\.txt$/),
      keyword: { rank: expect.toBeOneOf([1, 2]) },
      vector: { rank: expect.any(Number) },
    });
    for (const { keyword, vector, coverage, fused } of result.passages) {
      const shares = [keyword, vector, coverage].map((stage) => stage?.share ?? 0);
      expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(fused, 12);
    }
  });

  it('The passages that were left out are listed with the reason', async () => {
    const { passages, leftOut, nearDuplicates, belowLimit, candidates } = await searchVault({
      limit: 1,
    });
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

  it('A passage whose file no longer exists is listed as left out with NO_FILE', async () => {
    await startVaultServers.put(
      assistantId,
      'nobody',
      'The receipt of a file that was deleted a moment ago.',
    );
    const { passages, leftOut } = await searchVault({
      query: 'receipt of a file that was deleted',
    });
    expect(passages.every(({ documentId }) => filledApp.fileIds.includes(documentId))).toBe(true);
    expect(leftOut).toContainEqual(
      expect.objectContaining({
        reason: 'NO_FILE',
        passage: expect.objectContaining({ originalName: null }),
      }),
    );
    await startVaultServers.client.remove({ collection: assistantId, document: 'nobody' });
  });

  it('The modes keyword and vector use only one of the two searches', async () => {
    const [keyword, vector] = [
      await searchVault({ mode: 'KEYWORD' }),
      await searchVault({ mode: 'VECTOR' }),
    ];
    expect(keyword.passages.length).toBeGreaterThan(0);
    expect(keyword.passages.every((passage) => passage.vector === null)).toBe(true);
    expect(vector.passages.length).toBeGreaterThan(0);
    expect(vector.passages.every((passage) => passage.keyword === null)).toBe(true);
  });

  it('An assistant without files has no results', async () => {
    const empty = await assistantOf(colleague);
    await share(colleague, empty, 'VIEW');
    expect(await searchVault({ assistantId: empty })).toMatchObject({
      passages: [],
      leftOut: [],
      candidates: { distinct: 0 },
    });
  });

  it('The search is refused without access to the assistant and without the feature assistant files', async () => {
    const ownAssistantId = await assistantOf(colleague);
    expect(
      (await administrator.graph(searchQuery, { assistantId: ownAssistantId, query: 'x' })).code,
    ).toBe('FORBIDDEN');
    const plainOrganization = await app.organization({ features: [] });
    const session = await signIn(app, plainOrganization.administratorId);
    expect(
      (await session.graph(searchQuery, { assistantId: ownAssistantId, query: 'x' })).code,
    ).toBe('FEATURE_DISABLED');
    expect((await session.graph(documentsQuery)).code).toBe('FEATURE_DISABLED');
  });

  it('An empty query, a query that is too long and an invalid limit are refused', async () => {
    for (const variables of [
      { query: '  ' },
      { query: 'x'.repeat(1001) },
      { query: 'x', limit: 51 },
      { query: 'x', limit: 0 },
    ])
      expect(
        (await administrator.graph(searchQuery, { assistantId, ...variables })).data,
      ).toBeNull();
  });
});
