import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  claimFile,
  releaseFile,
} from '../../../src/modules/assistant-files/processing/claim-file.ts';
import { completeFile } from '../../../src/modules/assistant-files/processing/finish-file.ts';
import { processFiles } from '../../../src/modules/assistant-files/processing/process-files.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn } from '../../support/assistants.ts';

let app: TestApp;
let busy: OrganizationQueue;
let quiet: OrganizationQueue;
let third: OrganizationQueue;
type OrganizationQueue = { organization: TestOrganization; assistantId: string };

beforeAll(async () => {
  app = await testApp();
  const queueOf = async (): Promise<OrganizationQueue> => {
    const organization = await app.organization();
    return { organization, assistantId: await assistantOf(await personIn(app, organization)) };
  };
  [busy, quiet, third] = [await queueOf(), await queueOf(), await queueOf()];
});
beforeEach(async () => {
  await app.database.prisma.assistantFile.deleteMany();
  await app.database.prisma.organization.updateMany({ data: { lastFileTurnAt: null } });
});
afterAll(() => app.close());

let fileCount = 0;
async function enqueue({ organization, assistantId }: OrganizationQueue, count: number) {
  await app.database.prisma.assistantFile.createMany({
    data: Array.from({ length: count }, () => {
      fileCount += 1;
      const id = `file-${fileCount}`;
      const metadata = {
        originalName: id,
        mimeType: 'text/plain',
        size: 1,
        hash: '0'.repeat(64),
        storageKey: id,
      };
      return {
        id,
        assistantId,
        organizationId: organization.id,
        ...metadata,
        createdAt: new Date(1_700_000_000_000 + fileCount),
      };
    }),
  });
}
const claim = (holder = 'a process', perOrganizationMax = 100) =>
  claimFile({ holder, perOrganizationMax }, app);
const finish = (file: NonNullable<Awaited<ReturnType<typeof claim>>>) =>
  completeFile(
    file,
    { ...ingestResult, document: file.id, hash: '' },
    { database: app.database, clock: () => new Date() },
  );
const ingestResult = {
  mimeType: 'text/plain',
  pages: null,
  passages: 1,
  characters: 1,
  derivations: ['text' as const],
  bytes: 1,
  unchanged: false,
  notices: [],
  searchableAt: '',
};

/** Claims files and returns the names of their organizations in order. */
async function claimOrder(claims: number, { finishes = false } = {}) {
  const names = new Map(
    [busy, quiet, third].map(({ organization }, index) => [
      organization.id,
      ['busy', 'quiet', 'third'][index],
    ]),
  );
  const order: (string | undefined)[] = [];
  for (let index = 0; index < claims; index += 1) {
    const file = await claim();
    order.push(file && names.get(file.organizationId));
    if (file && finishes) await finish(file);
  }
  return order;
}

describe('The turns of organizations in the processing of files', () => {
  it('The first file of a quiet organization comes next, however many files another has queued', async () => {
    await enqueue(busy, 50);
    await claim();
    await enqueue(quiet, 1);
    expect(await claimOrder(2)).toEqual(['quiet', 'busy']);
  });

  it('Organizations that always have files alternate, even if none of their files is in progress', async () => {
    await enqueue(busy, 5);
    await enqueue(quiet, 5);
    await enqueue(third, 5);
    const order = await claimOrder(9, { finishes: true });
    expect(order.slice(3, 6)).toEqual(order.slice(0, 3));
    expect(order.slice(6, 9)).toEqual(order.slice(0, 3));
    expect(new Set(order.slice(0, 3)).size).toBe(3);
  });

  it('A holder claims at most its limit of files of one organization, and more files of others', async () => {
    await enqueue(busy, 5);
    expect(
      [await claim('one', 2), await claim('one', 2), await claim('one', 2)].map(
        (file) => file?.organizationId,
      ),
    ).toEqual([busy.organization.id, busy.organization.id, undefined]);
    await enqueue(quiet, 1);
    expect((await claim('one', 2))?.organizationId).toBe(quiet.organization.id);
    expect((await claim('two', 2))?.organizationId).toBe(busy.organization.id);
  });

  it('The files of an organization come oldest first, and a released file is claimed again', async () => {
    await enqueue(busy, 3);
    const first = await claim();
    if (!first) return expect.unreachable();
    await releaseFile(first, app);
    expect((await claim())?.id).toBe(first.id);
  });

  it('Concurrent claims never get the same file', async () => {
    await enqueue(busy, 20);
    await enqueue(quiet, 20);
    const claims = await Promise.all(
      Array.from({ length: 40 }, (_, index) => claim(`process ${index}`)),
    );
    const ids = claims.flatMap((file) => (file ? [file.id] : []));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(2);
  });

  it('Workers that look for files at the same moment leave one to other organizations', async () => {
    const { clock, log, quotas } = { ...app.contextParts, ...app.contextParts.files };
    const files = {
      quotas,
      storage: { ...app.contextParts.files.storage, get: async () => Readable.from([]) },
      vault: {
        ...app.contextParts.files.vault,
        ingest: async ({ signal }: { signal?: AbortSignal | undefined }): Promise<never> => {
          for (;;) await setTimeout(60_000, undefined, { signal });
        },
      },
    };
    const inProgress = async () => {
      const rows = await app.database.prisma.assistantFile.groupBy({
        by: ['organizationId'],
        where: { status: 'PROCESSING' },
        _count: true,
      });
      return new Map(rows.map(({ organizationId, _count }) => [organizationId, _count]));
    };
    await enqueue(busy, 20);
    const processor = processFiles({ database: app.database, files, clock, log });
    try {
      await expect.poll(async () => (await inProgress()).get(busy.organization.id)).toBe(2);
      await enqueue(quiet, 1);
      processor.wake();
      await expect.poll(async () => (await inProgress()).get(quiet.organization.id)).toBe(1);
      expect((await inProgress()).get(busy.organization.id)).toBe(2);
    } finally {
      await processor.stop();
    }
  });
});
