import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DemoKeys } from './load/mixed-load.ts';
import type { ApiAnswer, ServerAddress } from './load/send-request.ts';
import { sendRequest } from './load/send-request.ts';
import type { RequestProbe } from './watch-probes.ts';

const bodyIs = (pattern: RegExp) => (answer: ApiAnswer) =>
  answer.status === 200 && pattern.test(answer.text);

/** One request to each interface, with an answer that stays the same while nobody changes data. */
export async function createProbes(server: ServerAddress, keys: DemoKeys): Promise<RequestProbe[]> {
  const { email, password, organizationKey, userKey, assistantId } = keys;
  const signIn = { method: 'POST', path: '/auth/sign-in/email', json: { email, password } };
  const { headers } = await sendUntilAllowed(server, signIn);
  const cookie = headers
    .getSetCookie()
    .map((header) => header.split(';')[0])
    .join('; ');
  const { body } = await sendRequest(server, {
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
      request: () => ({ method: 'GET', path: '/livez' }),
      isRight: ({ status }) => status === 200,
    },
    {
      name: '/readyz',
      request: () => ({ method: 'GET', path: '/readyz' }),
      isRight: ({ status }) => status === 200,
    },
    {
      name: 'a user',
      request: get(`/api/user-management/v1/users/${userId}`, organizationKey),
      isRight: isEmail,
    },
    {
      name: 'users',
      request: get('/api/user-management/v1/users?search=ada', organizationKey),
      isRight: isEmail,
    },
    {
      name: 'teams',
      request: get('/api/user-management/v1/teams', organizationKey),
      isRight: isSupport,
    },
    {
      name: 'campaigns',
      request: get('/api/sponsorship/v1/campaigns', organizationKey),
      isRight: bodyIs(/"campaigns":\[/),
    },
    { name: 'assistants', request: get('/api/assistants/v1/', userKey), isRight: isHandbook },
    {
      name: 'files',
      request: get(`/api/assistant-files/v1/assistants/${assistantId}/files`, userKey),
      isRight: bodyIs(/travel-policy\.pdf/),
    },
    {
      name: 'models',
      request: get('/api/openai/v1/models', userKey),
      isRight: bodyIs(new RegExp(assistantId)),
    },
    {
      name: 'a run',
      request: () => ({
        method: 'POST',
        path: `/api/assistants/v1/${assistantId}/run`,
        key: userKey,
        json: run,
        idempotencyKey: randomUUID(),
      }),
      isRight: bodyIs(/28 euro/),
      everyMs: 700,
    },
    {
      name: 'GraphQL with a key',
      request: () => ({
        method: 'POST',
        path: '/graphql',
        key: userKey,
        json: {
          query:
            '{ assistants { nodes { name files { nodes { originalName } } } } teams: viewer { kind } }',
        },
      }),
      isRight: (answer) => isHandbook(answer) && !answer.text.includes('"errors"'),
    },
    {
      name: 'GraphQL with a session',
      request: () => ({
        method: 'POST',
        path: '/graphql',
        cookie,
        json: { query: '{ viewer { person { email } organization { name } } }' },
      }),
      isRight: (answer) => isEmail(answer) && !answer.text.includes('"errors"'),
    },
    {
      name: 'the current session',
      request: () => ({ method: 'GET', path: '/auth/get-session', cookie }),
      isRight: isEmail,
      everyMs: 300,
    },
    // 429 is a right answer too, because the load signs in with the same account.
    {
      name: 'sign-in',
      request: () => signIn,
      isRight: (answer) => answer.status === 429 || isSignedIn(answer),
      everyMs: 9_000,
    },
    {
      name: 'the console',
      request: () => ({ method: 'GET', path: '/' }),
      isRight: ({ status }) => status === 200,
      everyMs: 500,
    },
  ];
}

/** Waits for `Retry-After` on 429, because the load signs in with the same account. */
async function sendUntilAllowed(
  server: ServerAddress,
  signIn: Parameters<typeof sendRequest>[1],
): Promise<ApiAnswer> {
  for (;;) {
    const answer = await sendRequest(server, signIn);
    if (answer.status !== 429) return answer;
    await pause(1_000 * Number(answer.headers.get('retry-after') ?? 1));
  }
}
