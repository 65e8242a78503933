import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';
import { refusalBody, textWithoutRequestId } from '../../support/refusal-body.ts';

type Files = ReturnType<typeof filesOf>;

let app: TestApp;
let ours: TestOrganization;
let owner: TestPerson;
let assistantId: string;
beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000', ORGANIZATION_KEY_LIMIT: '100000' });
  ours = await app.organization();
  owner = await personIn(app, ours);
  assistantId = await assistantOf(owner);
});
afterAll(() => app.close());

const newFile = async () => fileIdIn(await filesOf(app, owner, assistantId).upload('of its owner'));
const rows = () =>
  app.database.prisma.assistantFile.findMany({ where: { assistantId }, orderBy: { id: 'asc' } });

const calls: [string, 'VIEW' | 'EDIT', (files: Files, id: string) => Promise<Answer>][] = [
  ['list', 'VIEW', (files) => files.list()],
  ['get metadata', 'VIEW', (files, id) => files.get(id)],
  ['get the content', 'VIEW', (files, id) => files.content(id)],
  ['upload', 'EDIT', (files) => files.upload('x')],
  ['replace', 'EDIT', (files, id) => files.replace(id, 'x')],
  ['delete', 'EDIT', (files, id) => files.remove(id)],
];

/** Somebody of our organization with this level on the assistant, given in this way. */
async function personWith(
  level: 'VIEW' | 'EDIT' | 'OWNER' | 'none',
  way: 'directly' | 'through a team' | 'through the organization' = 'directly',
) {
  const person = await personIn(app, ours);
  if (level === 'none') return { person, id: assistantId };
  const id = way === 'through the organization' ? await assistantOf(owner) : assistantId;
  if (way === 'through a team') {
    const { body } = await ours.manage('POST', '/teams', { name: `team of ${person.id}` });
    const { id: teamId } = Object(body['team']);
    await ours.manage('POST', `/teams/${teamId}/users`, { userId: person.id });
    await share(owner, id, level, { teamId });
  } else {
    await share(owner, id, level, way === 'directly' ? { userId: person.id } : {});
  }
  return { person, id };
}

describe.each(calls)('to %s', (_, needed, call) => {
  const allowed = { VIEW: needed === 'VIEW', EDIT: true, OWNER: true, none: false };

  it.each(Object.entries(allowed) as ['VIEW' | 'EDIT' | 'OWNER' | 'none', boolean][])(
    '%s is enough: %s',
    async (level, isAllowed) => {
      const { person } = await personWith(level);
      const id = await newFile();
      const before = await rows();
      const answer = await call(filesOf(app, person, assistantId), id);
      expect(answer.status).toBe(isAllowed ? 200 : 403);
      if (isAllowed) return;
      expect(answer.body).toEqual(refusalBody('FORBIDDEN', expect.stringContaining('You may not')));
      expect(await rows()).toEqual(before);
    },
  );

  it.each(['through a team', 'through the organization'] as const)(
    'a level that is given %s counts the same',
    async (way) => {
      for (const level of ['VIEW', 'EDIT'] as const) {
        const { person, id } = await personWith(level, way);
        const fileId = fileIdIn(await filesOf(app, owner, id).upload('x'));
        expect((await call(filesOf(app, person, id), fileId)).status).toBe(
          allowed[level] ? 200 : 403,
        );
      }
    },
  );

  it('D3: a person of another organization finds neither assistant nor file, as if they were not there', async () => {
    const stranger = await personIn(app, await app.organization());
    const theirs = await assistantOf(stranger);
    const id = await newFile();
    const before = await rows();
    const foreign = await call(filesOf(app, stranger, assistantId), id);
    const unknown = await call(filesOf(app, stranger, 'unknown'), id);
    expect(foreign.status).toBe(404);
    expect(textWithoutRequestId(foreign)).toBe(textWithoutRequestId(unknown));
    // Nor does an assistant of their own open our file.
    const crossed = await call(filesOf(app, stranger, theirs), id);
    if (crossed.status !== 404) expect(JSON.stringify(crossed.body)).not.toContain(id);
    expect(await rows()).toEqual(before);
  });

  it('the file of one assistant is not found under another one of the same owner', async () => {
    const other = await assistantOf(owner);
    const id = await newFile();
    const before = await rows();
    const answer = await call(filesOf(app, owner, other), id);
    if (answer.status !== 404) expect(JSON.stringify(answer.body)).not.toContain(id);
    expect(await rows()).toEqual(before);
  });

  it('D4: an organization key, a wrong one and none are 401', async () => {
    const id = await newFile();
    for (const key of [ours.key, `${owner.key}x`, 'sk_svc_nothing']) {
      expect(
        (await call(filesOf(app, { key, call: app.callerWith(key) }, assistantId), id)).status,
      ).toBe(401);
    }
  });

  it('D2: without the feature it is 403, whoever owns the assistant', async () => {
    const plain = await app.organization({ features: [] });
    const person = await personIn(app, plain);
    const answer = await call(filesOf(app, person, await assistantOf(person)), 'unknown');
    expect(answer).toMatchObject({
      status: 403,
      body: { message: 'Assistant Files is not enabled for this organization' },
    });
  });
});

describe('a refused upload', () => {
  it.each([
    ['without a key', 401, async () => ({ key: 'none', id: assistantId })],
    [
      'of a viewer',
      403,
      async () => ({ key: (await personWith('VIEW')).person.key, id: assistantId }),
    ],
    [
      'of an organization without the feature',
      403,
      async () => ({
        key: (await personIn(app, await app.organization({ features: [] }))).key,
        id: assistantId,
      }),
    ],
    ['to an assistant that is not there', 404, async () => ({ key: owner.key, id: 'unknown' })],
  ])('%s is refused before a byte of its body is read', async (_, status, make) => {
    const { key, id } = await make();
    for (const [method, rest] of [
      ['POST', ''],
      ['PUT', '/unknown'],
    ] as const) {
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'multipart/form-data; boundary=x',
      };
      let asked = 0;
      const pull = () => {
        asked += 1;
      };
      const body = new ReadableStream({ pull }, { highWaterMark: 0 });
      const options = { method, headers, body, duplex: 'half' };
      const answer = await app.fetch(
        new Request(`http://atrium.test${filesOf(app, owner, id).path(rest)}`, options),
      );
      expect(answer.status).toBe(status);
      expect(asked).toBe(0);
    }
  });
});
