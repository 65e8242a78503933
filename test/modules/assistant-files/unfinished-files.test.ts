import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share } from '../../support/assistants.ts';
import { createProcessedFile } from '../../support/search-vault-stub.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const query =
  '{ unfinishedFiles { working failed files { assistantName file { originalName processingStatus processingError { code } } } } }';

test('Unfinished files of assistants that the person may view are listed, failed files first', async () => {
  const organization = await app.organization();
  const [owner, viewer, outsider] = [
    await personIn(app, organization),
    await personIn(app, organization),
    await personIn(app, organization),
  ];
  const [shown, hidden] = [
    await assistantOf(owner, { name: 'Shown' }),
    await assistantOf(owner, { name: 'Hidden' }),
  ];
  await share(owner, shown, 'VIEW', { userId: viewer.id });
  const createFile = async (
    assistantId: string,
    name: string,
    data: {
      status: 'PENDING' | 'FAILED' | 'PROCESSING';
      errorCode?: string;
      errorMessage?: string;
      stage?: 'EXTRACTING';
    },
  ) => {
    const id = await createProcessedFile(app, organization, assistantId, name);
    await app.database.prisma.assistantFile.update({ where: { id }, data });
  };
  await createFile(shown, 'broken.pdf', {
    status: 'FAILED',
    errorCode: 'DAMAGED',
    errorMessage: 'It is damaged',
  });
  await createFile(shown, 'waiting.pdf', { status: 'PENDING' });
  await createFile(hidden, 'secret.pdf', { status: 'PROCESSING', stage: 'EXTRACTING' });
  await createProcessedFile(app, organization, shown, 'done.pdf');

  expect((await viewer.graph(query)).data?.['unfinishedFiles']).toEqual({
    working: 1,
    failed: 1,
    files: [
      {
        assistantName: 'Shown',
        file: {
          originalName: 'broken.pdf',
          processingStatus: 'FAILED',
          processingError: { code: 'DAMAGED' },
        },
      },
      {
        assistantName: 'Shown',
        file: { originalName: 'waiting.pdf', processingStatus: 'PENDING', processingError: null },
      },
    ],
  });
  expect((await owner.graph(query)).data?.['unfinishedFiles']).toMatchObject({
    working: 2,
    failed: 1,
  });
  expect((await outsider.graph(query)).data?.['unfinishedFiles']).toEqual({
    working: 0,
    failed: 0,
    files: [],
  });
});

test('All unfinished files are counted, and the list has ten of them', async () => {
  const organization = await app.organization();
  const owner = await personIn(app, organization);
  const assistantId = await assistantOf(owner);
  for (let index = 0; index < 12; index += 1)
    await createProcessedFile(app, organization, assistantId, `file-${index}.pdf`);
  await app.database.prisma.assistantFile.updateMany({
    where: { assistantId },
    data: { status: 'PENDING' },
  });
  const { data } = await owner.graph(query);
  expect(data?.['unfinishedFiles']).toMatchObject({
    working: 12,
    failed: 0,
    files: { length: 10 },
  });
});

test('Unfinished files require a person and the feature assistant files', async () => {
  const plainOrganization = await app.organization({ features: [] });
  expect(
    (await (await personIn(app, plainOrganization)).graph(query)).errors[0]?.extensions?.code,
  ).toBe('FEATURE_DISABLED');
  expect((await app.graph(plainOrganization.key, query)).errors[0]?.extensions?.code).toBe(
    'FORBIDDEN',
  );
});
