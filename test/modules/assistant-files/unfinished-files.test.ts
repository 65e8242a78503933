import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share } from '../../support/assistants.ts';
import { fileOf } from '../../support/shelf.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const ask =
  '{ unfinishedFiles { working failed files { assistantName file { originalName processingStatus processingError { code } } } } }';

test('files that failed come before those that are worked on, on every assistant that one may view, and on no other', async () => {
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
  const put = async (
    assistantId: string,
    name: string,
    data: {
      status: 'PENDING' | 'FAILED' | 'PROCESSING';
      errorCode?: string;
      errorMessage?: string;
      stage?: 'EXTRACTING';
    },
  ) => {
    const id = await fileOf(app, organization, assistantId, name);
    await app.database.prisma.assistantFile.update({ where: { id }, data });
  };
  await put(shown, 'broken.pdf', {
    status: 'FAILED',
    errorCode: 'DAMAGED',
    errorMessage: 'It is damaged',
  });
  await put(shown, 'waiting.pdf', { status: 'PENDING' });
  await put(hidden, 'secret.pdf', { status: 'PROCESSING', stage: 'EXTRACTING' });
  await fileOf(app, organization, shown, 'done.pdf');

  expect((await viewer.graph(ask)).data?.['unfinishedFiles']).toEqual({
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
  expect((await owner.graph(ask)).data?.['unfinishedFiles']).toMatchObject({
    working: 2,
    failed: 1,
  });
  expect((await outsider.graph(ask)).data?.['unfinishedFiles']).toEqual({
    working: 0,
    failed: 0,
    files: [],
  });
});

test('more than ten are counted, and ten are told', async () => {
  const organization = await app.organization();
  const owner = await personIn(app, organization);
  const assistantId = await assistantOf(owner);
  for (let file = 0; file < 12; file += 1)
    await fileOf(app, organization, assistantId, `file-${file}.pdf`);
  await app.database.prisma.assistantFile.updateMany({
    where: { assistantId },
    data: { status: 'PENDING' },
  });
  const { data } = await owner.graph(ask);
  expect(data?.['unfinishedFiles']).toMatchObject({
    working: 12,
    failed: 0,
    files: { length: 10 },
  });
});

test('they are for people whose organization has files', async () => {
  const plain = await app.organization({ features: [] });
  expect((await (await personIn(app, plain)).graph(ask)).errors[0]?.extensions?.code).toBe(
    'FEATURE_DISABLED',
  );
  expect((await app.graph(plain.key, ask)).errors[0]?.extensions?.code).toBe('FORBIDDEN');
});
