import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type TestApp,
  type TestOrganization,
  type TestResponse,
  testApp,
} from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';
import { refusalBody, textWithoutRequestId } from '../../support/refusal-body.ts';

type FilesClient = ReturnType<typeof filesOf>;

let app: TestApp;
let organization: TestOrganization;
let owner: TestPerson;
let assistantId: string;
beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000', ORGANIZATION_KEY_LIMIT: '100000' });
  organization = await app.organization();
  owner = await personIn(app, organization);
  assistantId = await assistantOf(owner);
});
afterAll(() => app.close());

const newFile = async () => fileIdIn(await filesOf(app, owner, assistantId).upload('of its owner'));
const fileRows = () =>
  app.database.prisma.assistantFile.findMany({ where: { assistantId }, orderBy: { id: 'asc' } });

const calls: [
  string,
  'VIEW' | 'EDIT',
  (files: FilesClient, id: string) => Promise<TestResponse>,
][] = [
  ['list the files', 'VIEW', (files) => files.list()],
  ['get the metadata of a file', 'VIEW', (files, id) => files.get(id)],
  ['get the content of a file', 'VIEW', (files, id) => files.content(id)],
  ['upload a file', 'EDIT', (files) => files.upload('x')],
  ['replace a file', 'EDIT', (files, id) => files.replace(id, 'x')],
  ['delete a file', 'EDIT', (files, id) => files.remove(id)],
];

/** Creates a person of the organization who got this access level in this way. */
async function personWith(
  level: 'VIEW' | 'EDIT' | 'OWNER' | 'none',
  grantedBy: 'directly' | 'through a team' | 'through the organization' = 'directly',
) {
  const person = await personIn(app, organization);
  if (level === 'none') return { person, id: assistantId };
  const id = grantedBy === 'through the organization' ? await assistantOf(owner) : assistantId;
  if (grantedBy === 'through a team') {
    const { body } = await organization.manage('POST', '/teams', { name: `team of ${person.id}` });
    const { id: teamId } = Object(body['team']);
    await organization.manage('POST', `/teams/${teamId}/users`, { userId: person.id });
    await share(owner, id, level, { teamId });
  } else {
    await share(owner, id, level, grantedBy === 'directly' ? { userId: person.id } : {});
  }
  return { person, id };
}

describe.each(calls)('The permission to %s', (_, needed, call) => {
  const allowed = { VIEW: needed === 'VIEW', EDIT: true, OWNER: true, none: false };

  it.each(Object.entries(allowed) as ['VIEW' | 'EDIT' | 'OWNER' | 'none', boolean][])(
    'A person with the level %s is allowed: %s',
    async (level, isAllowed) => {
      const { person } = await personWith(level);
      const id = await newFile();
      const before = await fileRows();
      const answer = await call(filesOf(app, person, assistantId), id);
      expect(answer.status).toBe(isAllowed ? 200 : 403);
      if (isAllowed) return;
      expect(answer.body).toEqual(refusalBody('FORBIDDEN', expect.stringContaining('You may not')));
      expect(await fileRows()).toEqual(before);
    },
  );

  it.each(['through a team', 'through the organization'] as const)(
    'A level that is granted %s has the same effect',
    async (grantedBy) => {
      for (const level of ['VIEW', 'EDIT'] as const) {
        const { person, id } = await personWith(level, grantedBy);
        const fileId = fileIdIn(await filesOf(app, owner, id).upload('x'));
        expect((await call(filesOf(app, person, id), fileId)).status).toBe(
          allowed[level] ? 200 : 403,
        );
      }
    },
  );

  it('A person of another organization gets the same 404 as for an unknown assistant', async () => {
    const outsider = await personIn(app, await app.organization());
    const outsiderAssistantId = await assistantOf(outsider);
    const id = await newFile();
    const before = await fileRows();
    const foreignAnswer = await call(filesOf(app, outsider, assistantId), id);
    const unknownAnswer = await call(filesOf(app, outsider, 'unknown'), id);
    expect(foreignAnswer.status).toBe(404);
    expect(textWithoutRequestId(foreignAnswer)).toBe(textWithoutRequestId(unknownAnswer));
    // An assistant of their own does not give access to the file either.
    const crossedAnswer = await call(filesOf(app, outsider, outsiderAssistantId), id);
    if (crossedAnswer.status !== 404) expect(JSON.stringify(crossedAnswer.body)).not.toContain(id);
    expect(await fileRows()).toEqual(before);
  });

  it('A file is not found under another assistant of the same owner', async () => {
    const other = await assistantOf(owner);
    const id = await newFile();
    const before = await fileRows();
    const answer = await call(filesOf(app, owner, other), id);
    if (answer.status !== 404) expect(JSON.stringify(answer.body)).not.toContain(id);
    expect(await fileRows()).toEqual(before);
  });

  it('An organization key, a wrong key and an unknown key get 401', async () => {
    const id = await newFile();
    for (const key of [organization.key, `${owner.key}x`, 'sk_svc_nothing']) {
      expect(
        (await call(filesOf(app, { key, call: app.callerWith(key) }, assistantId), id)).status,
      ).toBe(401);
    }
  });

  it('Without the feature assistant files, even the owner of the assistant gets 403', async () => {
    const plainOrganization = await app.organization({ features: [] });
    const person = await personIn(app, plainOrganization);
    const answer = await call(filesOf(app, person, await assistantOf(person)), 'unknown');
    expect(answer).toMatchObject({
      status: 403,
      body: { message: 'Assistant Files is not enabled for this organization' },
    });
  });
});

describe('An upload that is refused', () => {
  it.each([
    ['An upload without a key', 401, async () => ({ key: 'none', id: assistantId })],
    [
      'An upload of a person with the level VIEW',
      403,
      async () => ({ key: (await personWith('VIEW')).person.key, id: assistantId }),
    ],
    [
      'An upload of an organization without the feature',
      403,
      async () => ({
        key: (await personIn(app, await app.organization({ features: [] }))).key,
        id: assistantId,
      }),
    ],
    ['An upload to an unknown assistant', 404, async () => ({ key: owner.key, id: 'unknown' })],
  ])('%s is refused with %i before its body is read', async (_, status, createSender) => {
    const { key, id } = await createSender();
    for (const [method, rest] of [
      ['POST', ''],
      ['PUT', '/unknown'],
    ] as const) {
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'multipart/form-data; boundary=x',
      };
      let pullCount = 0;
      const pull = () => {
        pullCount += 1;
      };
      const body = new ReadableStream({ pull }, { highWaterMark: 0 });
      const options = { method, headers, body, duplex: 'half' };
      const answer = await app.fetch(
        new Request(`http://atrium.test${filesOf(app, owner, id).path(rest)}`, options),
      );
      expect(answer.status).toBe(status);
      expect(pullCount).toBe(0);
    }
  });
});
