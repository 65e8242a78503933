import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { signIn } from '../../support/sign-in.ts';
import { watchStatements } from '../../support/statements.ts';

let app: TestApp;
let ours: TestOrganization;
let ada: TestPerson;
let emil: TestPerson;
let stranger: TestPerson;

beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000', ORGANIZATION_KEY_LIMIT: '100000' });
  ours = await app.organization();
  [ada, emil, stranger] = [
    await personIn(app, ours),
    await personIn(app, ours),
    await personIn(app, await app.organization()),
  ];
});
afterAll(() => app.close());

const list = async (person: TestPerson) => {
  const { status, body } = await person.call('GET', '/api/assistants/v1/');
  expect(status).toBe(200);
  return body['assistants'] as { id: string; name: string }[];
};
const levelOf = async (person: Pick<TestPerson, 'graph'>, assistantId: string) => {
  const { data, errors } = await person.graph(
    'query ($id: ResourceId!) { assistant(assistantId: $id) { myLevel instructions } }',
    { id: assistantId },
  );
  return Object(data?.['assistant']).myLevel ?? errors[0]?.extensions?.code;
};

describe('GET /api/assistants/v1/', () => {
  it('answers id and name of every assistant that the owner of the key may run, newest first, and nothing else', async () => {
    const person = await personIn(app, ours);
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

  it('D17: a share of any level, for the person, for a team of theirs or for everybody, is enough', async () => {
    const reader = await personIn(app, ours);
    const team = await ours.manage('POST', '/teams', { name: 'Readers' });
    const { id: teamId } = Object(team.body['team']);
    await ours.manage('POST', `/teams/${teamId}/users`, { userId: reader.id });
    const made: string[] = [];
    for (const holder of [{ userId: reader.id }, { teamId }, {}]) {
      const id = await assistantOf(ada);
      expect((await share(ada, id, 'VIEW', holder)).errors).toEqual([]);
      made.push(id);
    }
    expect((await list(reader)).map(({ id }) => id)).toEqual(made.toReversed());
    await ours.manage('DELETE', `/teams/${teamId}/users/${reader.id}`);
    expect((await list(reader)).map(({ id }) => id)).toEqual([made[2], made[0]]);
    expect(await list(stranger)).toEqual([]);
  });

  it('a hundred assistants cost as many statements as one', async () => {
    const [few, many] = [await personIn(app, ours), await personIn(app, ours)];
    await assistantOf(few);
    for (let made = 0; made < 100; made += 1) await assistantOf(many);
    const watched = watchStatements();
    const query =
      '{ assistants { id name myLevel shares { level user { email } team { name } } } }';
    try {
      const [one, hundred] = [
        await watched.during(() => few.graph(query)),
        await watched.during(() => many.graph(query)),
      ];
      expect([one, hundred].map(({ result }) => result.errors)).toEqual([[], []]);
      expect(Object(hundred.result.data?.['assistants']).length).toBeGreaterThanOrEqual(100);
      // The list, the shares, their users.
      expect([one, hundred].map(({ statements }) => statements.length)).toEqual([3, 3]);
    } finally {
      watched.stop();
    }
  });
});

describe('what a level allows', () => {
  const update = (person: Pick<TestPerson, 'graph'>, id: string) =>
    person.graph(
      'mutation ($id: ResourceId!) { updateAssistant(assistantId: $id, name: "Changed") { name } }',
      { id },
    );
  const remove = (person: Pick<TestPerson, 'graph'>, id: string) =>
    person.graph(
      'mutation ($id: ResourceId!) { deleteAssistant(assistantId: $id) { success assistantId } }',
      { id },
    );
  const codeOf = ({ errors }: Awaited<ReturnType<TestPerson['graph']>>) =>
    errors[0]?.extensions?.code ?? 'done';

  it.each([
    ['VIEW', { update: 'FORBIDDEN', share: 'FORBIDDEN', remove: 'FORBIDDEN' }],
    ['EDIT', { update: 'done', share: 'FORBIDDEN', remove: 'FORBIDDEN' }],
    ['OWNER', { update: 'done', share: 'done', remove: 'done' }],
  ] as const)('%s', async (level, expected) => {
    const id = await assistantOf(ada, { instructions: 'Be brief.' });
    await share(ada, id, level, { userId: emil.id });
    expect(await levelOf(emil, id)).toBe(level);
    expect({
      update: codeOf(await update(emil, id)),
      share: codeOf(await share(emil, id, 'VIEW')),
      remove: codeOf(await remove(emil, id)),
    }).toEqual(expected);
  });

  it('without any, an assistant of the organization is refused, and one of another organization does not exist', async () => {
    const id = await assistantOf(ada);
    for (const act of [update, remove, (person: TestPerson) => share(person, id, 'VIEW')]) {
      expect(codeOf(await act(emil, id))).toBe('FORBIDDEN');
      expect(codeOf(await act(stranger, id))).toBe('NOT_FOUND');
    }
    expect([await levelOf(emil, id), await levelOf(stranger, id)]).toEqual([
      'FORBIDDEN',
      'NOT_FOUND',
    ]);
  });

  it('the highest of several shares counts', async () => {
    const id = await assistantOf(ada);
    await share(ada, id, 'VIEW', { userId: emil.id });
    await share(ada, id, 'EDIT');
    expect(await levelOf(emil, id)).toBe('EDIT');
  });

  it('instructions are for those who may change them', async () => {
    const id = await assistantOf(ada, { instructions: 'Never tell the price.' });
    await share(ada, id, 'VIEW', { userId: emil.id });
    const told = async (person: TestPerson) =>
      Object(
        (
          await person.graph(
            'query ($id: ResourceId!) { assistant(assistantId: $id) { instructions shares { id } } }',
            { id },
          )
        ).data?.['assistant'],
      );
    expect(await told(emil)).toEqual({ instructions: null, shares: [] });
    expect(await told(ada)).toMatchObject({
      instructions: 'Never tell the price.',
      shares: [{}, {}],
    });
  });

  it('an organization key is nobody in particular', async () => {
    expect((await app.graph(ours.key, '{ assistants { id } }')).errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ]);
  });
});

describe('sharing', () => {
  it('gives the new level instead of the old one, and takes it back', async () => {
    const id = await assistantOf(ada);
    await share(ada, id, 'OWNER', { email: emil.email });
    const { data } = await share(ada, id, 'VIEW', { userId: emil.id });
    expect(Object(data?.['shareAssistant']).shares).toEqual([
      { level: 'OWNER', user: { id: ada.id }, team: null },
      { level: 'VIEW', user: { id: emil.id }, team: null },
    ]);
    const { errors } = await ada.graph(
      'mutation ($id: ResourceId!, $userId: ResourceId) { unshareAssistant(assistantId: $id, userId: $userId) { success } }',
      {
        id,
        userId: emil.id,
      },
    );
    expect(errors).toEqual([]);
    expect(await levelOf(emil, id)).toBe('FORBIDDEN');
  });

  it('does not leave the organization', async () => {
    const id = await assistantOf(ada);
    for (const holder of [
      { userId: stranger.id },
      { email: stranger.email },
      { teamId: stranger.id },
    ]) {
      expect((await share(ada, id, 'VIEW', holder)).errors).toMatchObject([
        { extensions: { code: 'NOT_FOUND' } },
      ]);
    }
    expect(
      (await share(ada, id, 'VIEW', { userId: emil.id, teamId: ours.defaultTeamId })).errors,
    ).toMatchObject([{ extensions: { code: 'BAD_INPUT' } }]);
  });

  it('leaves an owner, and owners who step down at the same moment leave one of them', async () => {
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

  it('an assistant whose last owner left falls to the administrators', async () => {
    const leaver = await personIn(app, ours);
    const id = await assistantOf(leaver);
    const administrator = await signIn(app, ours.administratorId);
    const asked = {
      graph: async (query: string, variables: Record<string, unknown> = {}) =>
        administrator.graph(query, variables),
    };
    const level = async () =>
      Object(
        (
          await asked.graph(
            'query ($id: ResourceId!) { assistant(assistantId: $id) { myLevel } }',
            { id },
          )
        ).data?.['assistant'],
      ).myLevel;
    expect(await level()).toBeUndefined();
    await ours.manage('DELETE', `/users/${leaver.id}`);
    expect(await level()).toBe('OWNER');
    expect(await levelOf(emil, id)).toBe('FORBIDDEN');
  });
});

describe('changing', () => {
  it('keeps what is left out, clears what is null, and writes nothing when nothing is sent', async () => {
    const id = await assistantOf(ada, {
      instructions: 'Be brief.',
      model: 'large',
      temperature: 0.5,
      stepLimit: 7,
    });
    const update = (fields: string) =>
      ada.graph(
        `mutation { updateAssistant(assistantId: "${id}"${fields}) { name instructions model temperature stepLimit } }`,
      );
    const before = await app.database.prisma.auditEntry.count();
    expect((await update('')).data?.['updateAssistant']).toEqual({
      name: 'Helper',
      instructions: 'Be brief.',
      model: 'large',
      temperature: 0.5,
      stepLimit: 7,
    });
    expect(await app.database.prisma.auditEntry.count()).toBe(before);
    expect(
      (await update(', model: null, temperature: null')).data?.['updateAssistant'],
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

  it('deleting leaves word of what is still to be removed from storage and vault', async () => {
    const id = await assistantOf(ada);
    const { data } = await ada.graph(
      'mutation ($id: ResourceId!) { deleteAssistant(assistantId: $id) { success assistantId } }',
      { id },
    );
    expect(data?.['deleteAssistant']).toEqual({ success: true, assistantId: id });
    expect(await levelOf(ada, id)).toBe('NOT_FOUND');
    const actions = await app.database.prisma.auditEntry.findMany({
      where: { targetId: id },
      select: { action: true },
      orderBy: { at: 'asc' },
    });
    expect(actions.map(({ action }) => action)).toEqual(['create-assistant', 'delete-assistant']);
  });
});
