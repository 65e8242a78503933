import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';

let app: TestApp;
let ada: TestPerson;
let stranger: TestPerson;
beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000' });
  ada = await personIn(app, await app.organization());
  stranger = await personIn(app, await app.organization());
});
afterAll(() => app.close());

type Compared = {
  originalName: string;
  sameContentAs: { originalName: string } | null;
  filesBefore: number | null;
};

async function compared(person: TestPerson, assistantId: string): Promise<Compared[]> {
  const { data, errors } = await person.graph(
    `query ($id: ID!) { assistantFiles(assistantId: $id, orderBy: { field: CREATED_AT, direction: ASC }) {
      nodes { originalName sameContentAs { originalName } filesBefore } } }`,
    { id: assistantId },
  );
  expect(errors).toEqual([]);
  return Object(data).assistantFiles.nodes;
}
const sameAs = async (person: TestPerson, assistantId: string) =>
  Object.fromEntries(
    (await compared(person, assistantId)).map(({ originalName, sameContentAs }) => [
      originalName,
      sameContentAs?.originalName ?? null,
    ]),
  );

it('A file names the oldest file of its assistant with the same bytes', async () => {
  const assistantId = await assistantOf(ada);
  const { upload, replace, remove } = filesOf(app, ada, assistantId);
  const first = fileIdIn(await upload('The same bytes.', { name: 'first.txt' }));
  await upload('Other bytes.', { name: 'other.txt' });
  await upload('The same bytes.', { name: 'copy.txt' });
  await upload('The same bytes.', { name: 'copy of copy.txt' });
  const elsewhere = await assistantOf(ada);
  await filesOf(app, ada, elsewhere).upload('The same bytes.', { name: 'elsewhere.txt' });
  const abroad = await assistantOf(stranger);
  await filesOf(app, stranger, abroad).upload('The same bytes.', { name: 'abroad.txt' });

  expect(await sameAs(ada, assistantId)).toEqual({
    ...{ 'first.txt': null, 'other.txt': null },
    ...{ 'copy.txt': 'first.txt', 'copy of copy.txt': 'first.txt' },
  });
  expect(await sameAs(ada, elsewhere)).toEqual({ 'elsewhere.txt': null });
  expect(await sameAs(stranger, abroad)).toEqual({ 'abroad.txt': null });
  await remove(first);
  expect(await sameAs(ada, assistantId)).toEqual({
    ...{ 'other.txt': null, 'copy.txt': null, 'copy of copy.txt': 'copy.txt' },
  });
  const [{ id: other } = { id: '' }] = await app.database.prisma.assistantFile.findMany({
    where: { assistantId, originalName: 'other.txt' },
    select: { id: true },
  });
  await replace(other, 'New bytes.', { name: 'replacement.txt' });
  expect(await sameAs(ada, assistantId)).toMatchObject({ 'replacement.txt': null });
});

it('A file that waits says how many files of its organization come before it', async () => {
  const waiting = await app.organization();
  const person = await personIn(app, waiting);
  const [one, two] = [await assistantOf(person), await assistantOf(person)];
  for (const [assistantId, name] of [
    [one, 'a.txt'],
    [two, 'b.txt'],
    [one, 'c.txt'],
    [one, 'd.txt'],
  ] as const)
    await filesOf(app, person, assistantId).upload(`Text of ${name}`, { name });
  const before = async (assistantId: string) =>
    (await compared(person, assistantId)).map(({ originalName, filesBefore }) => [
      originalName,
      filesBefore,
    ]);
  expect(await before(one)).toEqual([
    ['a.txt', 0],
    ['c.txt', 2],
    ['d.txt', 3],
  ]);
  await app.database.prisma.assistantFile.updateMany({
    where: { organizationId: waiting.id, originalName: { in: ['a.txt', 'b.txt'] } },
    data: { status: 'COMPLETED' },
  });
  expect(await before(one)).toEqual([
    ['a.txt', null],
    ['c.txt', 0],
    ['d.txt', 1],
  ]);
});
