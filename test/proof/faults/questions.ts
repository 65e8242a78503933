import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Line, Told } from './load/ask.ts';
import { ask } from './load/ask.ts';
import type { Keys } from './load/load.ts';
import type { Question } from './watch.ts';

const bodyIs = (pattern: RegExp) => (told: Told) => told.status === 200 && pattern.test(told.text);

/** One of every way in, whose answer is the same as long as nobody changes anything of it. */
export async function everyWayIn(line: Line, keys: Keys): Promise<Question[]> {
  const { email, password, organizationKey, userKey, assistantId } = keys;
  const signIn = { method: 'POST', path: '/auth/sign-in/email', json: { email, password } };
  const { headers } = await askUntilLetIn(line, signIn);
  const cookie = headers
    .getSetCookie()
    .map((kept) => kept.split(';')[0])
    .join('; ');
  const { body } = await ask(line, {
    method: 'POST',
    path: '/graphql',
    cookie,
    json: { query: '{ viewer { person { id } } }' },
  });
  const userId = Object(body['data']).viewer?.person?.id;
  const isEmail = bodyIs(new RegExp(email));
  const isSignedIn = bodyIs(/"signedIn":true/);
  const [isHandbook, isSupport] = [bodyIs(/"Handbook"/), bodyIs(/"name":"Support"/)];
  const get = (path: string, key: string) => () => ({ method: 'GET', path, key });
  const run = {
    messages: [{ role: 'user', content: 'How much is the meal allowance in Germany?' }],
  };
  return [
    {
      name: '/livez',
      asked: () => ({ method: 'GET', path: '/livez' }),
      isRight: ({ status }) => status === 200,
    },
    {
      name: '/readyz',
      asked: () => ({ method: 'GET', path: '/readyz' }),
      isRight: ({ status }) => status === 200,
    },
    {
      name: 'a user',
      asked: get(`/api/user-management/v1/users/${userId}`, organizationKey),
      isRight: isEmail,
    },
    {
      name: 'users',
      asked: get('/api/user-management/v1/users?search=ada', organizationKey),
      isRight: isEmail,
    },
    {
      name: 'teams',
      asked: get('/api/user-management/v1/teams', organizationKey),
      isRight: isSupport,
    },
    {
      name: 'campaigns',
      asked: get('/api/sponsorship/v1/campaigns', organizationKey),
      isRight: bodyIs(/"campaigns":\[/),
    },
    { name: 'assistants', asked: get('/api/assistants/v1/', userKey), isRight: isHandbook },
    {
      name: 'files',
      asked: get(`/api/assistant-files/v1/assistants/${assistantId}/files`, userKey),
      isRight: bodyIs(/travel-policy\.pdf/),
    },
    {
      name: 'models',
      asked: get('/api/openai/v1/models', userKey),
      isRight: bodyIs(new RegExp(assistantId)),
    },
    {
      name: 'a run',
      asked: () => ({
        method: 'POST',
        path: `/api/assistants/v1/${assistantId}/run`,
        key: userKey,
        json: run,
        again: randomUUID(),
      }),
      isRight: bodyIs(/28 euro/),
      everyMs: 700,
    },
    {
      name: 'the graph by a key',
      asked: () => ({
        method: 'POST',
        path: '/graphql',
        key: userKey,
        json: { query: '{ assistants { name files { originalName } } teams: viewer { kind } }' },
      }),
      isRight: (told) => isHandbook(told) && !told.text.includes('"errors"'),
    },
    {
      name: 'the graph in a session',
      asked: () => ({
        method: 'POST',
        path: '/graphql',
        cookie,
        json: { query: '{ viewer { person { email } organization { name } } }' },
      }),
      isRight: (told) => isEmail(told) && !told.text.includes('"errors"'),
    },
    {
      name: 'who is signed in',
      asked: () => ({ method: 'GET', path: '/auth/get-session', cookie }),
      isRight: isEmail,
      everyMs: 300,
    },
    // Who is told to wait was answered rightly: others sign in with this address as well.
    {
      name: 'signing in',
      asked: () => signIn,
      isRight: (told) => told.status === 429 || isSignedIn(told),
      everyMs: 9_000,
    },
    {
      name: 'the console',
      asked: () => ({ method: 'GET', path: '/' }),
      isRight: ({ status }) => status === 200,
      everyMs: 500,
    },
  ];
}

/** Others have signed in with this address before: who is told to wait, waits. */
async function askUntilLetIn(line: Line, signIn: Parameters<typeof ask>[1]): Promise<Told> {
  for (;;) {
    const told = await ask(line, signIn);
    if (told.status !== 429) return told;
    await pause(1_000 * Number(told.headers.get('retry-after') ?? 1));
  }
}
