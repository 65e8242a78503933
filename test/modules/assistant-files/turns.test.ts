import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimFile, giveBack } from '../../../src/modules/assistant-files/processing/claim-file.ts';
import { completeFile } from '../../../src/modules/assistant-files/processing/finish-file.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn } from '../../support/assistants.ts';

let app: TestApp;
let loud: Queue;
let quiet: Queue;
let third: Queue;
type Queue = { organization: TestOrganization; assistantId: string };

beforeAll(async () => {
  app = await testApp();
  const queueOf = async (): Promise<Queue> => {
    const organization = await app.organization();
    return { organization, assistantId: await assistantOf(await personIn(app, organization)) };
  };
  [loud, quiet, third] = [await queueOf(), await queueOf(), await queueOf()];
});
beforeEach(async () => {
  await app.database.prisma.assistantFile.deleteMany();
  await app.database.prisma.organization.updateMany({ data: { lastFileTurnAt: null } });
});
afterAll(() => app.close());

let made = 0;
async function enqueue({ organization, assistantId }: Queue, count: number) {
  await app.database.prisma.assistantFile.createMany({
    data: Array.from({ length: count }, () => {
      made += 1;
      const id = `file-${made}`;
      const about = {
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
        ...about,
        createdAt: new Date(1_700_000_000_000 + made),
      };
    }),
  });
}
const claim = (holder = 'a process', perOrganizationMax = 100) =>
  claimFile({ holder, perOrganizationMax }, app);
const finish = (file: NonNullable<Awaited<ReturnType<typeof claim>>>) =>
  completeFile(
    file,
    { ...findings, document: file.id, hash: '' },
    { database: app.database, clock: () => new Date() },
  );
const findings = {
  mimeType: 'text/plain',
  pages: null,
  passages: 1,
  characters: 1,
  derivations: ['text' as const],
  bytes: 1,
  unchanged: false,
  searchableAt: '',
};

/** Whose files were claimed, in order. */
async function claimedBy(claims: number, { finishes = false } = {}) {
  const names = new Map(
    [loud, quiet, third].map(({ organization }, index) => [
      organization.id,
      ['loud', 'quiet', 'third'][index],
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

describe('organizations take turns when their files are processed', () => {
  it('the first file of a quiet organization comes next, however many another has queued before', async () => {
    await enqueue(loud, 50);
    await claim();
    await enqueue(quiet, 1);
    expect(await claimedBy(2)).toEqual(['quiet', 'loud']);
  });

  it('organizations that always have files alternate, also when none of their files is in progress', async () => {
    await enqueue(loud, 5);
    await enqueue(quiet, 5);
    await enqueue(third, 5);
    const order = await claimedBy(9, { finishes: true });
    expect(order.slice(3, 6)).toEqual(order.slice(0, 3));
    expect(order.slice(6, 9)).toEqual(order.slice(0, 3));
    expect(new Set(order.slice(0, 3)).size).toBe(3);
  });

  it('a holder processes at most as many files of one organization as it may, and others are processed besides', async () => {
    await enqueue(loud, 5);
    expect(
      [await claim('one', 2), await claim('one', 2), await claim('one', 2)].map(
        (file) => file?.organizationId,
      ),
    ).toEqual([loud.organization.id, loud.organization.id, undefined]);
    await enqueue(quiet, 1);
    expect((await claim('one', 2))?.organizationId).toBe(quiet.organization.id);
    expect((await claim('two', 2))?.organizationId).toBe(loud.organization.id);
  });

  it('the files of one organization come oldest first, and one that was given back is not lost', async () => {
    await enqueue(loud, 3);
    const first = await claim();
    if (!first) return expect.unreachable();
    await giveBack(first, app);
    expect((await claim())?.id).toBe(first.id);
  });

  it('claims at the same moment never get the same file', async () => {
    await enqueue(loud, 20);
    await enqueue(quiet, 20);
    const claimed = await Promise.all(
      Array.from({ length: 40 }, (_, index) => claim(`process ${index}`)),
    );
    const ids = claimed.flatMap((file) => (file ? [file.id] : []));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(2);
  });
});
