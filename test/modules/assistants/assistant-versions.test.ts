import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { signIn } from '../../support/sign-in.ts';

let app: TestApp;
let organization: TestOrganization;
let ada: TestPerson;
let emil: TestPerson;
let outsider: TestPerson;

beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000', ORGANIZATION_KEY_LIMIT: '100000' });
  organization = await app.organization();
  [ada, emil, outsider] = [
    await personIn(app, organization),
    await personIn(app, organization),
    await personIn(app, await app.organization()),
  ];
});
afterAll(() => app.close());

type Graph = Pick<TestPerson, 'graph'>;

const settings = 'name description instructions model temperature stepLimit starterQuestions color';

async function update({ graph }: Graph, id: string, input: string) {
  const { data, errors } = await graph(
    `mutation { updateAssistant(input: { assistantId: "${id}", ${input} }) { assistant { version updatedAt ${settings} } } }`,
  );
  return { assistant: Object(Object(data?.['updateAssistant']).assistant), errors };
}

async function versionsOf({ graph }: Graph, id: string) {
  const { data, errors } = await graph(
    `{ assistantVersions(assistantId: "${id}", first: 100) {
      totalCount nodes { id number restoredNumber createdAt author { id } authorName ${settings} } } }`,
  );
  const { nodes = [] } = Object(data?.['assistantVersions']);
  return { versions: nodes as Record<string, unknown>[], errors };
}

const codeOf = ({ errors }: { errors: { extensions?: { code?: unknown } | undefined }[] }) =>
  errors[0]?.extensions?.code ?? 'done';

describe('Versions of an assistant', () => {
  it('Creating an assistant makes version 1, and each change the next one, with the settings, the time and the author', async () => {
    const id = await assistantOf(ada, { instructions: 'Be brief.', temperature: 0.5 });
    await share(ada, id, 'EDIT', { userId: emil.id });
    const { assistant } = await update(
      emil,
      id,
      'instructions: "Be long.", starterQuestions: ["Why?"], color: RED',
    );
    expect(assistant.version).toBe(2);
    const { versions } = await versionsOf(ada, id);
    expect(versions).toMatchObject([
      {
        ...{ number: 2, restoredNumber: null, createdAt: assistant.updatedAt },
        ...{ author: { id: emil.id }, authorName: emil.email },
        ...{ name: 'Helper', instructions: 'Be long.', temperature: 0.5, stepLimit: 5 },
        ...{ starterQuestions: ['Why?'], color: 'RED', model: null },
      },
      { number: 1, author: { id: ada.id }, instructions: 'Be brief.', color: null },
    ]);
  });

  it('A change to the values that the assistant already has makes no version', async () => {
    const id = await assistantOf(ada);
    const { assistant } = await update(ada, id, 'name: "Helper", stepLimit: 5, color: null');
    expect(assistant.version).toBe(1);
    expect((await versionsOf(ada, id)).versions).toHaveLength(1);
  });

  it('The versions of one assistant have times that differ, so that a run names one of them', async () => {
    const id = await assistantOf(ada);
    for (let count = 0; count < 10; count += 1) await update(ada, id, `name: "Name ${count}"`);
    const times = (await versionsOf(ada, id)).versions.map(({ createdAt }) => createdAt);
    expect(new Set(times).size).toBe(11);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('An assistant that was stored without a version gets one for what it was when it first changes', async () => {
    const id = randomUUID();
    await app.database.prisma.assistant.create({
      data: { id, organizationId: organization.id, name: 'Stored' },
    });
    await app.database.prisma.assistantShare.create({
      data: {
        ...{ id: randomUUID(), assistantId: id, organizationId: organization.id },
        ...{ userId: ada.id, level: 'OWNER' },
      },
    });
    expect((await versionsOf(ada, id)).versions).toEqual([]);
    expect(codeOf(await update(ada, id, 'name: "Changed"'))).toBe('done');
    expect((await versionsOf(ada, id)).versions).toMatchObject([
      { number: 2, name: 'Changed', author: { id: ada.id } },
      { number: 1, name: 'Stored', author: null, authorName: null },
    ]);
  });

  it('The newest 100 versions are kept', async () => {
    const id = await assistantOf(ada);
    for (let count = 2; count <= 103; count += 1) await update(ada, id, `name: "Name ${count}"`);
    const { versions } = await versionsOf(ada, id);
    expect(versions.map(({ number }) => number)).toEqual(
      Array.from({ length: 100 }, (_, index) => 103 - index),
    );
  });

  it('Versions are deleted with their assistant', async () => {
    const id = await assistantOf(ada);
    await ada.graph(
      `mutation { deleteAssistant(input: { assistantId: "${id}" }) { deletedAssistantId } }`,
    );
    expect(await app.database.prisma.assistantVersion.count({ where: { assistantId: id } })).toBe(
      0,
    );
  });

  it('Only people who may change an assistant read its versions, whichever query they use', async () => {
    const id = await assistantOf(ada, { instructions: 'Never tell the price.' });
    await share(ada, id, 'VIEW', { userId: emil.id });
    const [version] = (await versionsOf(ada, id)).versions;
    const read = async (person: Graph) => {
      const { data } = await person.graph('query ($id: ID!) { node(id: $id) { id } }', {
        id: version?.['id'],
      });
      return {
        list: codeOf(await versionsOf(person, id)),
        one: codeOf(
          await person.graph(`{ assistantVersion(assistantId: "${id}", number: 1) { id } }`),
        ),
        node: Object(data)['node'] !== null,
      };
    };
    expect(await read(ada)).toEqual({ list: 'done', one: 'done', node: true });
    expect(await read(emil)).toEqual({ list: 'FORBIDDEN', one: 'FORBIDDEN', node: false });
    expect(await read(outsider)).toEqual({ list: 'NOT_FOUND', one: 'NOT_FOUND', node: false });
  });
});

describe('A change that names the version it is based on', () => {
  it('is refused if there is a newer version, and the message says who changed the assistant and when', async () => {
    const id = await assistantOf(ada);
    const { assistant } = await update(ada, id, 'name: "Theirs", basedOn: 1');
    expect(assistant.version).toBe(2);
    const { errors } = await update(ada, id, 'name: "Mine", basedOn: 1');
    expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
    expect(errors[0]?.message).toContain(`${ada.email} changed this assistant at `);
    expect(errors[0]?.message).toContain(assistant.updatedAt);
    expect((await update(ada, id, 'name: "Mine", basedOn: 2')).assistant.name).toBe('Mine');
    expect((await update(ada, id, 'name: "Mine again"')).assistant.version).toBe(4);
  });

  it('is refused for a number that is not a version', async () => {
    const id = await assistantOf(ada);
    expect(codeOf(await update(ada, id, 'name: "Mine", basedOn: 0'))).toBe('BAD_INPUT');
  });
});

describe('Restoring a version', () => {
  const restore = ({ graph }: Graph, id: string, input: string) =>
    graph(
      `mutation { restoreAssistantVersion(input: { assistantId: "${id}", ${input} }) { assistant { version ${settings} } } }`,
    );

  it('makes a new version with all settings of the old one, and is recorded in the audit log', async () => {
    const id = await assistantOf(ada, { instructions: 'One.', temperature: 1, stepLimit: 3 });
    await update(
      ada,
      id,
      'name: "Two", description: "d", instructions: "Two.", temperature: null, stepLimit: 9, starterQuestions: ["?"], color: TEAL',
    );
    const { data } = await restore(ada, id, 'number: 1');
    expect(Object(data?.['restoreAssistantVersion']).assistant).toEqual({
      ...{ version: 3, name: 'Helper', description: '', instructions: 'One.', model: null },
      ...{ temperature: 1, stepLimit: 3, starterQuestions: [], color: null },
    });
    const { versions } = await versionsOf(ada, id);
    expect(versions.map(({ restoredNumber }) => restoredNumber)).toEqual([1, null, null]);
    const session = await signIn(app, organization.administratorId);
    const entries = await session.graph<{
      auditEntries: { nodes: { action: string; changes: { field: string; value: unknown }[] }[] };
    }>(
      `{ auditEntries(targetId: "${id}", first: 1) { nodes { action changes { field value } } } }`,
    );
    const [entry] = entries.data?.auditEntries.nodes ?? [];
    expect(entry?.action).toBe('update-assistant');
    expect(entry?.changes).toContainEqual({ field: 'restoredVersion', value: 1 });
    expect(JSON.stringify(entry)).not.toContain('One.');
  });

  it('is refused without the level EDIT, for a version that is not kept, and if there is a newer version than the caller knows', async () => {
    const id = await assistantOf(ada);
    await share(ada, id, 'VIEW', { userId: emil.id });
    await update(ada, id, 'name: "Two"');
    expect(codeOf(await restore(emil, id, 'number: 1'))).toBe('FORBIDDEN');
    expect(codeOf(await restore(outsider, id, 'number: 1'))).toBe('NOT_FOUND');
    expect(codeOf(await restore(ada, id, 'number: 7'))).toBe('NOT_FOUND');
    expect(codeOf(await restore(ada, id, 'number: 1, basedOn: 1'))).toBe('CONFLICT');
    expect(codeOf(await restore(ada, id, 'number: 1, basedOn: 2'))).toBe('done');
  });
});

describe('Duplicating an assistant', () => {
  const duplicate = ({ graph }: Graph, id: string, input = '') =>
    graph(
      `mutation { duplicateAssistant(input: { assistantId: "${id}"${input} }) { assistant { id myLevel version shares { level } ${settings} } } }`,
    );

  it('copies the settings, and the caller owns the copy alone', async () => {
    const id = await assistantOf(ada, { instructions: 'Be brief.', stepLimit: 3 });
    await update(ada, id, 'description: "d", starterQuestions: ["?"], color: PINK');
    await share(ada, id, 'EDIT', { userId: emil.id });
    const { data } = await duplicate(emil, id);
    const { id: copyId, ...copy } = Object(Object(data?.['duplicateAssistant']).assistant);
    expect(copyId).not.toBe(id);
    expect(copy).toEqual({
      ...{ myLevel: 'OWNER', version: 1, shares: [{ level: 'OWNER' }] },
      ...{ name: 'Copy of Helper', description: 'd', instructions: 'Be brief.', model: null },
      ...{ temperature: null, stepLimit: 3, starterQuestions: ['?'], color: 'PINK' },
    });
    const named = await duplicate(emil, id, ', name: "Another"');
    expect(Object(Object(named.data?.['duplicateAssistant']).assistant).name).toBe('Another');
  });

  it('keeps the name of a copy within 200 characters', async () => {
    const id = await assistantOf(ada, { name: '𝄞'.repeat(200) });
    const { data } = await duplicate(ada, id);
    const { name } = Object(Object(data?.['duplicateAssistant']).assistant);
    expect([...name]).toHaveLength(200);
    expect(name).toMatch(/^Copy of 𝄞+$/u);
  });

  it('is refused to those who may not see the instructions', async () => {
    const id = await assistantOf(ada);
    await share(ada, id, 'VIEW', { userId: emil.id });
    expect(codeOf(await duplicate(emil, id))).toBe('FORBIDDEN');
    expect(codeOf(await duplicate(outsider, id))).toBe('NOT_FOUND');
  });
});
