import { createHash } from 'node:crypto';
import type { Workspace } from '../../../src/modules/demo/make-workspace.ts';
import { filesOf, origin, type ShipServer } from './test-storage.ts';

const question = {
  messages: [{ role: 'user', content: 'How much is the meal allowance in Germany?' }],
};

// Processing a file again changes these two fields, so they are left out of the comparison.
const isFile = /\/files(\/[^/]+)?$/;
const changingFields = /"(updatedAt|etag)":"(\\.|[^"\\])*"/g;

/** The status and the hash of every REST answer that reads data of this organization, by path. */
export async function readAllAnswers(
  server: ShipServer,
  { organizationKey, users, assistants }: Workspace,
): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const readPath = async (path: string, key: string) => {
    const { status, bytes } = await server.send('GET', path, key);
    const comparableBytes = isFile.test(path)
      ? Buffer.from(bytes.toString().replaceAll(changingFields, ''))
      : bytes;
    answers.set(
      `${path} ${key.slice(-4)}`,
      `${status} ${createHash('sha256').update(comparableBytes).digest('hex')}`,
    );
    return status === 200 && bytes.toString().startsWith('{') ? JSON.parse(bytes.toString()) : {};
  };
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const userPage = await readPath(
      `/api/user-management/v1/users?pageSize=2&page=${page}`,
      organizationKey,
    );
    pages = Math.min(5, userPage.totalPages ?? 3);
    for (const { id } of userPage.users ?? [])
      await readPath(`/api/user-management/v1/users/${id}`, organizationKey);
  }
  await readPath('/api/user-management/v1/teams', organizationKey);
  const { campaigns = [] } = await readPath(
    '/api/sponsorship/v1/campaigns?pageSize=100',
    organizationKey,
  );
  for (const { id } of campaigns) {
    await readPath(`/api/sponsorship/v1/campaigns/${id}/links`, organizationKey);
    await readPath(`/api/sponsorship/v1/campaigns/${id}/redemptions`, organizationKey);
  }
  for (const { userKey } of users) {
    await readPath('/api/assistants/v1/', userKey);
    for (const { id: assistantId } of assistants) {
      const { files = [] } = await readPath(filesOf(assistantId), userKey);
      for (const { id } of files) {
        await readPath(filesOf(assistantId, `/${id}`), userKey);
        await readPath(filesOf(assistantId, `/${id}/content`), userKey);
      }
    }
  }
  return answers;
}

/** The text and the citations of a run about the handbook. */
export async function runHandbookQuestion(
  server: ShipServer,
  { users, assistants }: Workspace,
): Promise<string> {
  const { text, citations } = await server.json(
    'POST',
    `/api/assistants/v1/${assistants[0]?.id}/run`,
    users[0]?.userKey ?? '',
    question,
  );
  return JSON.stringify({ text, citations });
}

/** Signs the first person in and returns the session cookie. */
export async function signIn(server: ShipServer, { users }: Workspace): Promise<string> {
  const [person] = users;
  const { status, headers } = await server.send(
    'POST',
    '/auth/sign-in/email',
    '',
    { email: person?.email, password: person?.password },
    { origin },
  );
  if (status !== 200) throw new Error(`signing in answered ${status}`);
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** The viewer that GraphQL returns for this cookie. */
export async function readViewer(server: ShipServer, cookie: string): Promise<string> {
  const { bytes } = await server.send(
    'POST',
    '/graphql',
    '',
    { query: '{ viewer { person { email } } }' },
    { cookie, origin },
  );
  const answer = bytes.toString();
  return answer.includes('@') ? answer : `not signed in: ${answer}`;
}

export const changedAnswers = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
