import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processFiles } from '../../../src/modules/assistant-files/processing/process-files.ts';
import { RunWrites } from '../../../src/modules/runs/run-writes.ts';
import { findWrongCounters } from '../../../src/modules/sponsorship/campaigns/find-wrong-counters.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn } from '../../support/assistants.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { vaultStandIn } from '../../support/vault-stand-in.ts';

let app: TestApp;
let vault: Awaited<ReturnType<typeof vaultStandIn>>;
const directory = temporaryDirectory();
const settings = {
  QUOTA_FILES: '4',
  QUOTA_BYTES: '100',
  QUOTA_PASSAGES: '3',
  QUOTA_RUNS: '2',
  QUOTA_UPLOADS: '50',
  USER_KEY_LIMIT: '100000',
};

beforeAll(async () => {
  vault = await vaultStandIn();
  app = await testApp({ ...settings, DATA_DIR: directory.path }, { vault: vault.client });
});
afterAll(async () => {
  await app.close();
  await vault.stop();
  vault.client.close();
  directory.remove();
});

/** Creates an organization with a person and an assistant. */
async function tenant() {
  const organization = await app.organization();
  const person = await personIn(app, organization);
  const assistantId = await assistantOf(person);
  const quotas = async () => {
    const { data } = await person.graph('{ organization { quotas { name used limit } } }');
    return Object.fromEntries(
      Object(data?.['organization']).quotas.map(
        ({ name, used, limit }: Record<string, unknown>) => [name, [used, limit]],
      ),
    );
  };
  const terms = (data: object) =>
    app.database.prisma.organization.update({ where: { id: organization.id }, data });
  return {
    organization,
    person,
    assistantId,
    files: filesOf(app, person, assistantId),
    quotas,
    terms,
  };
}
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted();
const countOf = (list: number[], status: number) => list.filter((each) => each === status).length;

describe('the quota of files', () => {
  it('Concurrent uploads never exceed the file quota, and a deleted file frees it again', async () => {
    const { files, quotas } = await tenant();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => files.upload(`text ${index}`)),
    );
    expect(countOf(statuses(answers), 200)).toBe(4);
    expect(countOf(statuses(answers), 403)).toBe(6);
    const refused = answers.find(({ status }) => status === 403);
    expect(refused?.body['message']).toContain(
      'Your organization has all of the 4 files that it may have; delete files',
    );
    expect(await quotas()).toMatchObject({ FILES: [4, 4], BYTES: [24, 100], UPLOADS: [0, 50] });

    const stored = answers.find(({ status }) => status === 200);
    await files.remove(fileIdIn(stored ?? { body: {} }));
    expect(await quotas()).toMatchObject({ FILES: [3, 4] });
    expect((await files.upload('one more')).status).toBe(200);
    expect((await files.upload('too many')).status).toBe(403);
  });

  it('A replacement is accepted when the file quota is used up, because it adds no file', async () => {
    const { files } = await tenant();
    const stored = await Promise.all(
      Array.from({ length: 4 }, (_, index) => files.upload(`text ${index}`)),
    );
    expect((await files.replace(fileIdIn(stored[0] ?? { body: {} }), 'another text')).status).toBe(
      200,
    );
  });
});

describe('the quota of bytes', () => {
  it('Concurrent uploads never exceed the byte quota, and a file of exactly the remaining size fits', async () => {
    const { files, quotas } = await tenant();
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, index) => files.upload(String(index).repeat(40))),
    );
    expect(statuses(answers)).toEqual([200, 200, 403, 403]);
    expect(answers.find(({ status }) => status === 403)?.body['message']).toContain(
      'The file does not fit',
    );
    expect((await files.upload('x'.repeat(21))).status).toBe(403);
    expect((await files.upload('x'.repeat(20))).status).toBe(200);
    expect(await quotas()).toMatchObject({ BYTES: [100, 100], FILES: [3, 4] });
    expect((await files.upload('x')).status).toBe(403);
  });

  it('A replacement counts only the difference in bytes, and a refused replacement leaves the old file in place', async () => {
    const { files, quotas } = await tenant();
    const id = fileIdIn(await files.upload('x'.repeat(60)));
    await files.upload('y'.repeat(30));
    expect((await files.replace(id, 'z'.repeat(71))).status).toBe(403);
    expect((await files.get(id)).status).toBe(200);
    const replaced = await files.replace(id, 'z'.repeat(70));
    expect(replaced.status).toBe(200);
    expect(await quotas()).toMatchObject({ BYTES: [100, 100] });
    expect((await files.replace(fileIdIn(replaced), 'z'.repeat(10))).status).toBe(200);
    expect(await quotas()).toMatchObject({ BYTES: [40, 100], FILES: [2, 4] });
  });

  it('A file whose announced size cannot fit is refused before its first byte is read', async () => {
    const { person, files } = await tenant();
    let pulled = 0;
    const body = new ReadableStream(
      {
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(1_024));
        },
      },
      { highWaterMark: 0 },
    );
    const headers = {
      authorization: `Bearer ${person.key}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': '50000000',
    };
    const request = new Request(`http://atrium.test${files.path()}`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as RequestInit);
    expect((await app.fetch(request)).status).toBe(403);
    expect(pulled).toBe(0);
  });

  it('The limit of one organization overrides the default setting, and null restores the default', async () => {
    const { files, terms, quotas } = await tenant();
    await terms({ bytesMax: 5n, filesMax: 1 });
    expect((await files.upload('123456')).status).toBe(403);
    expect((await files.upload('12345')).status).toBe(200);
    expect((await files.upload('1')).status).toBe(403);
    expect(await quotas()).toMatchObject({ BYTES: [5, 5], FILES: [1, 1] });
    await terms({ bytesMax: null, filesMax: null });
    expect((await files.upload('123456')).status).toBe(200);
  });
});

describe('the quota of passages', () => {
  it('A file that exceeds the passage quota fails with a code and a message, the quota is never exceeded, and a deleted file frees its passages', async () => {
    const { files, quotas, terms } = await tenant();
    await terms({ passagesMax: 2 });
    const ids = (
      await Promise.all(Array.from({ length: 3 }, (_, index) => files.upload(`text ${index}`)))
    ).map(fileIdIn);
    const { database, files: fileServices, clock, log } = app.contextParts;
    const processing = processFiles({ database, files: fileServices, clock, log });
    const states = async () => Promise.all(ids.map(async (id) => (await files.get(id)).body));
    try {
      await expect
        .poll(async () => (await states()).map((state) => state['processingStatus']).toSorted(), {
          timeout: 60_000,
        })
        .toEqual(['COMPLETED', 'COMPLETED', 'FAILED']);
      const failed = (await states()).find((state) => state['processingStatus'] === 'FAILED');
      expect(failed?.['processingError']).toMatchObject({
        code: 'QUOTA_EXCEEDED',
        message: expect.stringContaining('more passages than are left of the quota'),
      });
      expect(await quotas()).toMatchObject({ PASSAGES: [2, 2] });
      await files.remove(
        String(
          (await states()).find((state) => state['processingStatus'] === 'COMPLETED')?.['id'] ??
            ids[0],
        ),
      );
      await expect.poll(async () => (await quotas())['PASSAGES']).toEqual([1, 2]);
    } finally {
      await processing.stop();
    }
  });
});

describe('the quotas of concurrent runs and uploads', () => {
  type AppProcess = Pick<TestApp, 'contextParts'>;
  const startRun = (organizationId: string, { contextParts }: AppProcess = app) =>
    contextParts.quotas.startRun(organizationId);

  it('Several processes together never exceed the quota of concurrent runs, and a run that ends frees its lease', async () => {
    const { organization, quotas } = await tenant();
    const twin = await app.twin();
    const started = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        startRun(organization.id, index % 2 === 0 ? app : twin),
      ),
    );
    const leases = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(leases.length).toBe(2);
    expect(await quotas()).toMatchObject({ RUNS: [2, 2] });
    await leases[0]?.end();
    const next = await startRun(organization.id);
    await expect(startRun(organization.id)).rejects.toMatchObject({
      code: 'CONCURRENCY_LIMIT_REACHED',
      retryAfterSeconds: 2,
    });
    await next.end();
    await leases[1]?.end();
    expect(await quotas()).toMatchObject({ RUNS: [0, 2] });
  });

  it('A lease of a killed process stops counting when it expires', async () => {
    const { organization, quotas } = await tenant();
    const expiresAt = new Date(Date.now() - 1_000);
    await app.database.prisma.quotaLease.createMany({
      data: [1, 2].map(() => ({
        id: randomUUID(),
        organizationId: organization.id,
        kind: 'RUNS' as const,
        expiresAt,
      })),
    });
    expect(await quotas()).toMatchObject({ RUNS: [0, 2] });
    await (await startRun(organization.id)).end();
    expect(
      await app.database.prisma.quotaLease.count({ where: { organizationId: organization.id } }),
    ).toBe(0);
  });

  it('A lease goes on counting if the write that was to end it fails', async () => {
    const { organization, quotas } = await tenant();
    const lease = await startRun(organization.id);
    const writeWith = (isCommitted: boolean) =>
      lease.endWith((addDeletion) =>
        app.database.transact((tx) => {
          const writes = new RunWrites();
          addDeletion(writes);
          writes.sendTo(tx);
          if (!isCommitted) throw new Error('refused');
        }),
      );
    await expect(writeWith(false)).rejects.toThrow('refused');
    expect(await quotas()).toMatchObject({ RUNS: [1, 2] });
    await writeWith(true);
    await lease.end();
    expect(await quotas()).toMatchObject({ RUNS: [0, 2] });
  });

  it('A run above the quota answers 429 with Retry-After, and a run that fails releases its lease', async () => {
    const { organization, person, assistantId, quotas } = await tenant();
    const run = () =>
      person.call('POST', `/api/assistants/v1/${assistantId}/run`, {
        messages: [{ role: 'user', content: 'Hello?' }],
      });
    const leases = [await startRun(organization.id), await startRun(organization.id)];
    const { status, headers, body } = await run();
    expect([status, headers.get('retry-after')]).toEqual([429, '2']);
    expect(body['message']).toBe(
      'Your organization may have 2 runs at the same time; wait until one has ended, and try again',
    );
    for (const lease of leases) await lease.end();
    await run();
    expect(await quotas()).toMatchObject({ RUNS: [0, 2] });
  });

  it('An upload above the quota of concurrent uploads answers 429 with Retry-After, and a refused upload releases its lease', async () => {
    const { organization, files, terms, quotas } = await tenant();
    await terms({ concurrentUploadsMax: 1 });
    const lease = await app.contextParts.quotas.startUpload(organization.id);
    const refused = await files.upload('text');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
    await lease.end();
    expect((await files.upload('x'.repeat(101))).status).toBe(403);
    expect((await files.upload('text')).status).toBe(200);
    expect(await quotas()).toMatchObject({ UPLOADS: [0, 1], FILES: [1, 4] });
  });
});

it('The uploads of one organization are committed one at a time, and those of another organization do not wait for them', async () => {
  const [firstTenant, otherTenant] = [await tenant(), await tenant()];
  const blocker = Promise.withResolvers<void>();
  const first = app.contextParts.quotas.commitUpload(
    firstTenant.organization.id,
    () => blocker.promise,
  );
  let isAnswered = false;
  const second = firstTenant.files.upload('text').finally(() => {
    isAnswered = true;
  });
  // Long enough for the second upload to be answered if it did not wait.
  for (let index = 0; index < 3; index += 1)
    expect((await otherTenant.files.upload(`text ${index}`)).status).toBe(200);
  expect(isAnswered).toBe(false);
  blocker.resolve();
  await first;
  expect((await second).status).toBe(200);
});

it('After all tests of this file the stored totals of files, bytes and passages equal the rows', async () => {
  expect(await findWrongCounters(app)).toEqual([]);
});
