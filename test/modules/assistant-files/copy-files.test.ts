import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { filesOf } from '../../support/files.ts';
import { startVaultServers, type VaultServers } from '../../support/vault-servers.ts';

let app: TestApp;
let vault: VaultServers;
let organization: TestOrganization;
let ada: TestPerson;
let emil: TestPerson;
beforeAll(async () => {
  vault = await startVaultServers();
  app = await testApp({ USER_KEY_LIMIT: '100000' }, { vault: vault.client });
  app.startProcessing();
  organization = await app.organization();
  ada = await personIn(app, organization);
  emil = await personIn(app, organization);
});
afterAll(async () => {
  await app.close();
  await vault.close();
});

async function duplicate({ graph }: TestPerson, assistantId: string, input = 'withFiles: true') {
  const { data, errors } = await graph(
    `mutation { duplicateAssistant(input: { assistantId: "${assistantId}", ${input} }) { assistant { id } } }`,
  );
  const [error] = errors;
  return {
    id: String(Object(Object(data?.['duplicateAssistant']).assistant).id),
    code: error?.extensions?.code,
    message: error?.message,
  };
}

async function filesIn({ graph }: TestPerson, assistantId: string) {
  const { data } = await graph(
    `{ assistantFiles(assistantId: "${assistantId}", orderBy: { field: CREATED_AT, direction: ASC }) {
      nodes { originalName mimeType size processingStatus } } }`,
  );
  return Object(data).assistantFiles.nodes as { originalName: string; processingStatus: string }[];
}

const untilProcessed = (person: TestPerson, assistantId: string) =>
  expect
    .poll(
      async () =>
        (await filesIn(person, assistantId)).some(({ processingStatus }) =>
          ['PENDING', 'PROCESSING'].includes(processingStatus),
        ),
      { timeout: 60_000, interval: 50 },
    )
    .toBe(false);

async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of app.contextParts.files.storage.list()) keys.push(key);
  return keys.toSorted();
}

const assistantCount = () =>
  app.database.prisma.assistant.count({ where: { organizationId: organization.id } });

async function assistantWithFiles(): Promise<string> {
  const assistantId = await assistantOf(ada);
  const { upload } = filesOf(app, ada, assistantId);
  await upload('A zeppelin may be taken on Sundays.', { name: 'trips.txt' });
  await upload('Bread is sold until noon.', { name: 'bread.txt' });
  await untilProcessed(ada, assistantId);
  return assistantId;
}

describe('Duplicating an assistant with its files', () => {
  it('gives the copy files of its own, which are searchable when those of the original are gone', async () => {
    const original = await assistantWithFiles();
    const { upload, remove } = filesOf(app, ada, original);
    await upload(Buffer.alloc(200, 0), { name: 'broken.pdf', type: 'application/pdf' });
    await untilProcessed(ada, original);
    await share(ada, original, 'EDIT', { userId: emil.id });
    const copy = await duplicate(emil, original);
    expect(copy.code).toBeUndefined();
    await untilProcessed(emil, copy.id);
    expect(await filesIn(emil, copy.id)).toEqual([
      {
        ...{ originalName: 'trips.txt', mimeType: 'text/plain', size: 35 },
        processingStatus: 'COMPLETED',
      },
      {
        ...{ originalName: 'bread.txt', mimeType: 'text/plain', size: 25 },
        processingStatus: 'COMPLETED',
      },
    ]);
    const entries = await app.database.prisma.auditEntry.findMany({
      where: { organizationId: organization.id, action: 'upload-file', actorUserId: emil.id },
    });
    expect(entries.map(({ changes }) => changes)).toHaveLength(2);
    expect(entries.map(({ changes }) => changes)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ assistantId: copy.id, originalName: 'trips.txt' }),
        expect.objectContaining({ assistantId: copy.id, originalName: 'bread.txt' }),
      ]),
    );

    const ids = await app.database.prisma.assistantFile.findMany({
      where: { assistantId: original },
      select: { id: true },
    });
    for (const { id } of ids) await remove(id);
    await expect.poll(() => vault.find(original, 'zeppelin'), { timeout: 30_000 }).toEqual([]);
    expect(await vault.find(copy.id, 'zeppelin')).toMatchObject([{ page: null }]);
    const row = await app.database.prisma.assistantFile.findFirstOrThrow({
      where: { assistantId: copy.id, originalName: 'trips.txt' },
    });
    expect(row.uploadedById).toBe(emil.id);
    expect((await filesOf(app, emil, copy.id).get(row.id)).status).toBe(200);
    expect(await storedKeys()).toContain(row.storageKey);
  });

  it('leaves out the files unless it is asked for them', async () => {
    const original = await assistantWithFiles();
    for (const input of ['name: "Plain"', 'withFiles: false']) {
      const copy = await duplicate(ada, original, input);
      expect(await filesIn(ada, copy.id)).toEqual([]);
    }
  });

  it('leaves out a file whose bytes are gone', async () => {
    const original = await assistantWithFiles();
    const { storageKey } = await app.database.prisma.assistantFile.findFirstOrThrow({
      where: { assistantId: original, originalName: 'trips.txt' },
    });
    await app.contextParts.files.storage.remove(storageKey);
    const copy = await duplicate(ada, original);
    expect((await filesIn(ada, copy.id)).map(({ originalName }) => originalName)).toEqual([
      'bread.txt',
    ]);
  });

  it('is refused to those who may not change the original, and keeps nothing', async () => {
    const original = await assistantWithFiles();
    await share(ada, original, 'VIEW', { userId: emil.id });
    const before = [await assistantCount(), await storedKeys()];
    expect((await duplicate(emil, original)).code).toBe('FORBIDDEN');
    const outsider = await personIn(app, await app.organization());
    expect((await duplicate(outsider, original)).code).toBe('NOT_FOUND');
    expect([await assistantCount(), await storedKeys()]).toEqual(before);
  });

  it('needs the feature of files, by key', async () => {
    const plain = await personIn(app, await app.organization({ features: [] }));
    const original = await assistantOf(plain);
    expect((await duplicate(plain, original)).code).toBe('FEATURE_DISABLED');
    expect((await duplicate(plain, original, 'withFiles: false')).code).toBeUndefined();
  });

  it('is refused beyond the quota of the organization, and keeps nothing', async () => {
    const original = await assistantWithFiles();
    const count = await app.database.prisma.assistantFile.count({
      where: { organizationId: organization.id },
    });
    await app.database
      .sql`update organizations set files_max = ${count + 1} where id = ${organization.id}`;
    try {
      const before = [await assistantCount(), await storedKeys()];
      expect(await duplicate(ada, original)).toMatchObject({ code: 'QUOTA_EXCEEDED' });
      expect([await assistantCount(), await storedKeys()]).toEqual(before);
    } finally {
      await app.database
        .sql`update organizations set files_max = null where id = ${organization.id}`;
    }
  });

  it('succeeds as often as the quota allows when several ask at once, and the refused ones keep nothing', async () => {
    const original = await assistantWithFiles();
    const count = await app.database.prisma.assistantFile.count({
      where: { organizationId: organization.id },
    });
    await app.database
      .sql`update organizations set files_max = ${count + 2} where id = ${organization.id}`;
    try {
      const before = [await assistantCount(), (await storedKeys()).length] as const;
      const copies = await Promise.all(Array.from({ length: 5 }, () => duplicate(ada, original)));
      expect(copies.map(({ code }) => code ?? 'done').toSorted()).toEqual([
        ...Array.from({ length: 4 }, () => 'QUOTA_EXCEEDED'),
        'done',
      ]);
      expect([await assistantCount(), (await storedKeys()).length]).toEqual([
        before[0] + 1,
        before[1] + 2,
      ]);
    } finally {
      await app.database
        .sql`update organizations set files_max = null where id = ${organization.id}`;
    }
  });

  it('is refused with more than 1,000 files', async () => {
    const original = await assistantOf(ada);
    await app.database.sql`
      insert into assistant_files (id, assistant_id, organization_id, original_name, mime_type, size, hash, storage_key,
        status, created_at, updated_at)
      select ${original} || '-' || i, ${original}, ${organization.id}, 'many.txt', 'text/plain', 1, repeat('0', 64), 'none/' || i,
        'COMPLETED', now(), now() from generate_series(1, 1001) i`;
    expect(await duplicate(ada, original)).toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringContaining('1,000 files'),
    });
    await app.database.sql`delete from assistant_files where assistant_id = ${original}`;
  });
});
