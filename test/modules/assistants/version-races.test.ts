import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { databases } from '../../support/databases.ts';
import { rounds } from '../../support/rounds.ts';

const editors = 20;

describe.each(databases)('On the $kind database', ({ open }) => {
  let app: TestApp;
  let organization: TestOrganization;
  let person: TestPerson;
  beforeAll(async () => {
    app = await testApp({ USER_KEY_LIMIT: '100000' }, { database: await open() });
    organization = await app.organization();
    person = await personIn(app, organization);
  });
  afterAll(() => app.close());

  /** Stored by a program that knows no versions. */
  async function storedAssistant(): Promise<string> {
    const id = randomUUID();
    const ofAssistant = { assistantId: id, organizationId: organization.id };
    await app.database.prisma.assistant.create({
      data: { id, organizationId: organization.id, name: 'Stored' },
    });
    await app.database.prisma.assistantShare.create({
      data: { id: randomUUID(), ...ofAssistant, userId: person.id, level: 'OWNER' },
    });
    return id;
  }

  const editAtOnce = (id: string, basedOn = '') =>
    Promise.all(
      Array.from({ length: editors }, async (_, index) => {
        const { errors } = await person.graph(
          `mutation { updateAssistant(input: { assistantId: "${id}", name: "Editor ${index}"${basedOn} }) { assistant { id } } }`,
        );
        return errors[0]?.extensions?.code ?? 'done';
      }),
    );

  async function storedVersions(id: string) {
    const { prisma } = app.database;
    const versions = await prisma.assistantVersion.findMany({
      where: { assistantId: id },
      orderBy: { number: 'asc' },
    });
    const assistant = await prisma.assistant.findUniqueOrThrow({ where: { id } });
    return { versions, assistant };
  }

  it.each([
    ['a new assistant', () => assistantOf(person)],
    ['an assistant that was stored without a version', storedAssistant],
  ])(
    'Twenty changes of %s at the same time make twenty versions without a gap',
    async (_, make) => {
      for (let round = 0; round < rounds; round += 1) {
        const id = await make();
        expect(await editAtOnce(id)).toEqual(Array(editors).fill('done'));
        const { versions, assistant } = await storedVersions(id);
        expect(versions.map(({ number }) => number)).toEqual(
          Array.from({ length: editors + 1 }, (__, index) => index + 1),
        );
        expect(new Set(versions.slice(1).map(({ name }) => name)).size).toBe(editors);
        expect(assistant).toMatchObject({
          version: editors + 1,
          name: versions.at(-1)?.name,
          updatedAt: versions.at(-1)?.createdAt,
        });
      }
    },
  );

  it('Of twenty changes based on the same version one is made, and the others are refused as conflicts', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const id = await assistantOf(person);
      const answers = await editAtOnce(id, ', basedOn: 1');
      expect(answers.toSorted()).toEqual([...Array(editors - 1).fill('CONFLICT'), 'done']);
      expect((await storedVersions(id)).versions).toHaveLength(2);
    }
  });
});
