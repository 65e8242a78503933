import { createHash } from 'node:crypto';
import type { Workspace } from '../../../src/modules/demo/make-workspace.ts';
import { filesOf, origin, type Place } from './place.ts';

const question = {
  messages: [{ role: 'user', content: 'How much is the meal allowance in Germany?' }],
};

// A file that was read into the vault again was changed then, and says so.
const isFile = /\/files(\/[^/]+)?$/;
const whenRead = /"(updatedAt|etag)":"(\\.|[^"\\])*"/g;

/**
 * Every answer of REST that reads something of this organization, by what was asked: the status and
 * the hash of the bytes.
 */
export async function walk(
  place: Place,
  { organizationKey, users, assistants }: Workspace,
): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const look = async (path: string, key: string) => {
    const { status, bytes } = await place.send('GET', path, key);
    const same = isFile.test(path) ? Buffer.from(bytes.toString().replaceAll(whenRead, '')) : bytes;
    answers.set(
      `${path} ${key.slice(-4)}`,
      `${status} ${createHash('sha256').update(same).digest('hex')}`,
    );
    return status === 200 && bytes.toString().startsWith('{') ? JSON.parse(bytes.toString()) : {};
  };
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const found = await look(
      `/api/user-management/v1/users?pageSize=2&page=${page}`,
      organizationKey,
    );
    pages = Math.min(5, found.totalPages ?? 3);
    for (const { id } of found.users ?? [])
      await look(`/api/user-management/v1/users/${id}`, organizationKey);
  }
  await look('/api/user-management/v1/teams', organizationKey);
  const { campaigns = [] } = await look(
    '/api/sponsorship/v1/campaigns?pageSize=100',
    organizationKey,
  );
  for (const { id } of campaigns) {
    await look(`/api/sponsorship/v1/campaigns/${id}/links`, organizationKey);
    await look(`/api/sponsorship/v1/campaigns/${id}/redemptions`, organizationKey);
  }
  for (const { userKey } of users) {
    await look('/api/assistants/v1/', userKey);
    for (const { id: assistantId } of assistants) {
      const { files = [] } = await look(filesOf(assistantId), userKey);
      for (const { id } of files) {
        await look(filesOf(assistantId, `/${id}`), userKey);
        await look(filesOf(assistantId, `/${id}/content`), userKey);
      }
    }
  }
  return answers;
}

/** What the handbook says, and where: the text and the citations of a run. */
export async function askHandbook(place: Place, { users, assistants }: Workspace): Promise<string> {
  const { text, citations } = await place.json(
    'POST',
    `/api/assistants/v1/${assistants[0]?.id}/run`,
    users[0]?.userKey ?? '',
    question,
  );
  return JSON.stringify({ text, citations });
}

/** A session of the first person: its cookie. */
export async function signIn(place: Place, { users }: Workspace): Promise<string> {
  const [person] = users;
  const { status, headers } = await place.send(
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

/** Who the graph takes the bearer of this cookie for. */
export async function viewerOf(place: Place, cookie: string): Promise<string> {
  const { bytes } = await place.send(
    'POST',
    '/graphql',
    '',
    { query: '{ viewer { person { email } } }' },
    { cookie, origin },
  );
  const answer = bytes.toString();
  return answer.includes('@') ? answer : `nobody: ${answer}`;
}

export const differences = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (asked) => before.get(asked) !== after.get(asked),
  );
