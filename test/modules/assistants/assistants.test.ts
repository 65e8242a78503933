import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf } from '../../support/answers.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { signIn } from '../../support/sign-in.ts';
import { watchStatements } from '../../support/statements.ts';

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

const list = async (person: TestPerson) =>
  answerOf('listAssistants', await person.call('GET', '/api/assistants/v1/')).assistants;
const levelOf = async (person: Pick<TestPerson, 'graph'>, assistantId: string) => {
  const { data, errors } = await person.graph(
    'query ($id: ID!) { assistant(assistantId: $id) { myLevel instructions } }',
    { id: assistantId },
  );
  return Object(data?.['assistant']).myLevel ?? errors[0]?.extensions?.code;
};

describe('GET /api/assistants/v1/', () => {
  it('The list of assistants has only id and name of every assistant that the owner of the key may run, newest first', async () => {
    const person = await personIn(app, organization);
    const first = await assistantOf(person, { name: 'First' });
    const second = await assistantOf(person, { name: 'Second' });
    await assistantOf(emil, { name: 'Not theirs' });
    const answer = await person.call('GET', '/api/assistants/v1/');
    expect(answer.body).toEqual({
      assistants: [
        { id: second, name: 'Second' },
        { id: first, name: 'First' },
      ],
    });
  });

  it('A person can list an assistant with a share of any level for them, their team or everybody', async () => {
    const reader = await personIn(app, organization);
    const team = await organization.manage('POST', '/teams', { name: 'Readers' });
    const { id: teamId } = Object(team.body['team']);
    await organization.manage('POST', `/teams/${teamId}/users`, { userId: reader.id });
    const createdIds: string[] = [];
    for (const recipient of [{ userId: reader.id }, { teamId }, {}]) {
      const id = await assistantOf(ada);
      expect((await share(ada, id, 'VIEW', recipient)).errors).toEqual([]);
      createdIds.push(id);
    }
    expect((await list(reader)).map(({ id }) => id)).toEqual(createdIds.toReversed());
    await organization.manage('DELETE', `/teams/${teamId}/users/${reader.id}`);
    expect((await list(reader)).map(({ id }) => id)).toEqual([createdIds[2], createdIds[0]]);
    expect(await list(outsider)).toEqual([]);
  });

  it('Listing a hundred assistants takes as many SQL statements as listing one', async () => {
    const [fewPerson, manyPerson] = [
      await personIn(app, organization),
      await personIn(app, organization),
    ];
    await assistantOf(fewPerson);
    for (let count = 0; count < 100; count += 1) await assistantOf(manyPerson);
    const statementWatch = watchStatements();
    const query =
      '{ assistants { nodes { id name myLevel shares { level user { email } team { name } } } } }';
    try {
      const [oneResult, hundredResult] = [
        await statementWatch.during(() => fewPerson.graph(query)),
        await statementWatch.during(() => manyPerson.graph(query)),
      ];
      expect([oneResult, hundredResult].map(({ result }) => result.errors)).toEqual([[], []]);
      expect(Object(hundredResult.result.data?.['assistants']).nodes.length).toBeGreaterThanOrEqual(
        100,
      );
      expect(hundredResult.statements).toHaveLength(oneResult.statements.length);
    } finally {
      statementWatch.stop();
    }
  });
});

describe('The access level of a person', () => {
  const update = (person: Pick<TestPerson, 'graph'>, id: string) =>
    person.graph(
      'mutation ($id: ID!) { updateAssistant(input: { assistantId: $id, name: "Changed" }) { assistant { name } } }',
      { id },
    );
  const remove = (person: Pick<TestPerson, 'graph'>, id: string) =>
    person.graph(
      'mutation ($id: ID!) { deleteAssistant(input: { assistantId: $id }) { deletedAssistantId } }',
      { id },
    );
  const codeOf = ({ errors }: Awaited<ReturnType<TestPerson['graph']>>) =>
    errors[0]?.extensions?.code ?? 'done';

  it.each([
    ['VIEW', { update: 'FORBIDDEN', share: 'FORBIDDEN', remove: 'FORBIDDEN' }],
    ['EDIT', { update: 'done', share: 'FORBIDDEN', remove: 'FORBIDDEN' }],
    ['OWNER', { update: 'done', share: 'done', remove: 'done' }],
  ] as const)('The level %s allows exactly its own actions', async (level, expected) => {
    const id = await assistantOf(ada, { instructions: 'Be brief.' });
    await share(ada, id, level, { userId: emil.id });
    expect(await levelOf(emil, id)).toBe(level);
    expect({
      update: codeOf(await update(emil, id)),
      share: codeOf(await share(emil, id, 'VIEW')),
      remove: codeOf(await remove(emil, id)),
    }).toEqual(expected);
  });

  it('Without access, an assistant of the organization is FORBIDDEN and one of another organization is NOT_FOUND', async () => {
    const id = await assistantOf(ada);
    for (const action of [update, remove, (person: TestPerson) => share(person, id, 'VIEW')]) {
      expect(codeOf(await action(emil, id))).toBe('FORBIDDEN');
      expect(codeOf(await action(outsider, id))).toBe('NOT_FOUND');
    }
    expect([await levelOf(emil, id), await levelOf(outsider, id)]).toEqual([
      'FORBIDDEN',
      'NOT_FOUND',
    ]);
  });

  it('The highest of several shares applies', async () => {
    const id = await assistantOf(ada);
    await share(ada, id, 'VIEW', { userId: emil.id });
    await share(ada, id, 'EDIT');
    expect(await levelOf(emil, id)).toBe('EDIT');
  });

  it('Only people who may change an assistant see its instructions', async () => {
    const id = await assistantOf(ada, { instructions: 'Never tell the price.' });
    await share(ada, id, 'VIEW', { userId: emil.id });
    const readAssistant = async (person: TestPerson) =>
      Object(
        (
          await person.graph(
            'query ($id: ID!) { assistant(assistantId: $id) { instructions shares { id } } }',
            { id },
          )
        ).data?.['assistant'],
      );
    expect(await readAssistant(emil)).toEqual({ instructions: null, shares: [] });
    expect(await readAssistant(ada)).toMatchObject({
      instructions: 'Never tell the price.',
      shares: [{}, {}],
    });
  });

  it('An organization key cannot list assistants, because it belongs to no person', async () => {
    expect(
      (await app.graph(organization.key, '{ assistants { nodes { id } } }')).errors,
    ).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
});

describe('Sharing an assistant', () => {
  it('A new share replaces the level of the old one, and unsharing removes it', async () => {
    const id = await assistantOf(ada);
    await share(ada, id, 'OWNER', { email: emil.email });
    const { data } = await share(ada, id, 'VIEW', { userId: emil.id });
    expect(Object(Object(data?.['shareAssistant'])['assistant'])['shares']).toEqual([
      { level: 'OWNER', user: { id: ada.id }, team: null },
      { level: 'VIEW', user: { id: emil.id }, team: null },
    ]);
    const { errors } = await ada.graph(
      'mutation ($id: ID!, $userId: ID) { unshareAssistant(input: { assistantId: $id, userId: $userId }) { assistantId } }',
      {
        id,
        userId: emil.id,
      },
    );
    expect(errors).toEqual([]);
    expect(await levelOf(emil, id)).toBe('FORBIDDEN');
  });

  it('An assistant cannot be shared with another organization', async () => {
    const id = await assistantOf(ada);
    for (const recipient of [
      { userId: outsider.id },
      { email: outsider.email },
      { teamId: outsider.id },
    ]) {
      expect((await share(ada, id, 'VIEW', recipient)).errors).toMatchObject([
        { extensions: { code: 'NOT_FOUND' } },
      ]);
    }
    expect(
      (await share(ada, id, 'VIEW', { userId: emil.id, teamId: organization.defaultTeamId }))
        .errors,
    ).toMatchObject([{ extensions: { code: 'BAD_INPUT' } }]);
  });

  it('The last owner cannot step down, even if two owners step down at the same time', async () => {
    const id = await assistantOf(ada);
    expect((await share(ada, id, 'EDIT', { userId: ada.id })).errors).toMatchObject([
      { extensions: { code: 'CONFLICT' } },
    ]);
    await share(ada, id, 'OWNER', { userId: emil.id });
    const answers = await Promise.all([
      share(ada, id, 'VIEW', { userId: ada.id }),
      share(emil, id, 'VIEW', { userId: emil.id }),
    ]);
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
    expect(
      (await Promise.all([ada, emil].map((person) => levelOf(person, id)))).toSorted(),
    ).toEqual(['OWNER', 'VIEW']);
  });

  it('The administrators own an assistant whose last owner has left the organization', async () => {
    const formerOwner = await personIn(app, organization);
    const id = await assistantOf(formerOwner);
    const administrator = await signIn(app, organization.administratorId);
    const level = async () =>
      Object(
        (
          await administrator.graph(
            'query ($id: ID!) { assistant(assistantId: $id) { myLevel } }',
            { id },
          )
        ).data?.['assistant'],
      ).myLevel;
    expect(await level()).toBeUndefined();
    await organization.manage('DELETE', `/users/${formerOwner.id}`);
    expect(await level()).toBe('OWNER');
    expect(await levelOf(emil, id)).toBe('FORBIDDEN');
  });
});

describe('The introduction of an assistant', () => {
  const fields = 'description starterQuestions color';
  const create = (input: string) =>
    ada.graph(
      `mutation { createAssistant(input: { name: "Guide"${input} }) { assistant { id ${fields} } } }`,
    );
  const update = (id: string, input: string) =>
    ada.graph(
      `mutation { updateAssistant(input: { assistantId: "${id}", ${input} }) { assistant { ${fields} } } }`,
    );
  const introductionOf = ({ data }: Awaited<ReturnType<typeof create>>, mutation: string) =>
    Object(Object(data?.[mutation]).assistant);

  it('Description, starter questions and colour are empty by default, and everybody who may run the assistant sees them', async () => {
    const bare = introductionOf(await create(''), 'createAssistant');
    expect(bare).toMatchObject({ description: '', starterQuestions: [], color: null });
    const { id } = introductionOf(
      await create(
        ', description: " For journeys ", starterQuestions: ["How do I book?", " Who pays? ", "Who pays?"], color: TEAL',
      ),
      'createAssistant',
    );
    await share(ada, id, 'VIEW', { userId: emil.id });
    const { data } = await emil.graph(
      `query ($id: ID!) { assistant(assistantId: $id) { ${fields} } }`,
      { id },
    );
    expect(data).toEqual({
      assistant: {
        description: 'For journeys',
        starterQuestions: ['How do I book?', 'Who pays?'],
        color: 'TEAL',
      },
    });
  });

  it('An update changes only the fields that it has; null removes the colour', async () => {
    const { id } = introductionOf(
      await create(', description: "Old", starterQuestions: ["Why?"], color: RED'),
      'createAssistant',
    );
    const updated = async (input: string) =>
      introductionOf(await update(id, input), 'updateAssistant');
    expect(await updated('description: "New"')).toEqual({
      description: 'New',
      starterQuestions: ['Why?'],
      color: 'RED',
    });
    expect(await updated('starterQuestions: [], color: null')).toEqual({
      description: 'New',
      starterQuestions: [],
      color: null,
    });
    expect(await updated('description: ""')).toMatchObject({ description: '' });
  });

  it.each([
    ['a description of 301 characters', `description: "${'x'.repeat(301)}"`, ['description']],
    [
      'seven questions',
      'starterQuestions: ["1", "2", "3", "4", "5", "6", "7"]',
      ['starterQuestions'],
    ],
    ['an empty question', 'starterQuestions: ["fine", " "]', ['starterQuestions', 1]],
    ['null for the questions', 'starterQuestions: null', ['starterQuestions']],
    ['a description of two lines', 'description: "two\\nlines"', ['description']],
  ])('%s is refused, and the error names the field', async (_, input, path) => {
    const id = await assistantOf(ada);
    expect((await update(id, input)).errors).toMatchObject([
      { extensions: { code: 'BAD_INPUT', errors: [{ path: ['input', ...path] }] } },
    ]);
  });
});

describe('Changing an assistant', () => {
  it('An update keeps absent fields, clears null fields, and writes nothing if all fields are absent', async () => {
    const id = await assistantOf(ada, {
      instructions: 'Be brief.',
      model: 'atrium-extractive',
      temperature: 0.5,
      stepLimit: 7,
    });
    const update = (fields: string) =>
      ada.graph(
        `mutation { updateAssistant(input: { assistantId: "${id}"${fields} }) { assistant { name instructions model temperature stepLimit } } }`,
      );
    const before = await app.database.prisma.auditEntry.count();
    expect(Object((await update('')).data?.['updateAssistant'])['assistant']).toEqual({
      name: 'Helper',
      instructions: 'Be brief.',
      model: 'atrium-extractive',
      temperature: 0.5,
      stepLimit: 7,
    });
    expect(await app.database.prisma.auditEntry.count()).toBe(before);
    expect(
      Object((await update(', model: null, temperature: null')).data?.['updateAssistant'])[
        'assistant'
      ],
    ).toMatchObject({ model: null, temperature: null, stepLimit: 7 });
    for (const fault of [
      ', name: null',
      ', name: "  "',
      ', stepLimit: 0',
      ', stepLimit: 21',
      ', temperature: 2.5',
      ', instructions: null',
    ]) {
      expect((await update(fault)).errors[0]?.extensions?.code, fault).toBe('BAD_INPUT');
    }
  });

  it('Deleting an assistant removes it and is recorded in the audit log', async () => {
    const id = await assistantOf(ada);
    const { data } = await ada.graph(
      'mutation ($id: ID!) { deleteAssistant(input: { assistantId: $id }) { deletedAssistantId } }',
      { id },
    );
    expect(data?.['deleteAssistant']).toEqual({ deletedAssistantId: id });
    expect(await levelOf(ada, id)).toBe('NOT_FOUND');
    const actions = await app.database.prisma.auditEntry.findMany({
      where: { targetId: id },
      select: { action: true },
      orderBy: { at: 'asc' },
    });
    expect(actions.map(({ action }) => action)).toEqual(['create-assistant', 'delete-assistant']);
  });
});
