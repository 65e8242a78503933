import type { Asked, Fault, Told } from './faulty-server.ts';

/**
 * Ways to break the contract: what is wrong, the area that must notice it, and what the title of
 * the failed check says.
 */
export const faults: readonly (readonly [
  what: string,
  area: string,
  title: RegExp,
  fault: Fault,
])[] = [
  ['X-Request-Id is missing', 'teams', /^D5 .* X-Request-Id/, header('x-request-id', null)],
  [
    'each answer has the same request id',
    'teams',
    /^D5 each answer has a request id of its own/,
    header('x-request-id', 'same'),
  ],
  [
    'creation answers 201',
    'teams',
    /^D1 POST \/teams answers 200/,
    { told: when('POST', /\/teams$/, replaceStatus(200, 201)) },
  ],
  [
    'deletion answers an empty object',
    'teams',
    /^D31 DELETE/,
    {
      told: when(
        'DELETE',
        /\/teams\//,
        text(() => '{}'),
      ),
    },
  ],
  [
    'X-RateLimit-Remaining is missing',
    'teams',
    /^D10 .*Remaining/,
    header('x-ratelimit-remaining', null),
  ],
  [
    'X-RateLimit-Reset is in milliseconds',
    'teams',
    /^D10 .*Reset/,
    header('x-ratelimit-reset', '4102444800000'),
  ],
  [
    'an error has no message',
    'teams',
    /message is text/,
    { told: text((answer) => answer.replace(/"message":"/, '"text":"')) },
  ],
  [
    'the envelope says ok',
    'teams',
    /status is success/,
    { told: text((answer) => answer.replace('"status":"success"', '"status":"ok"')) },
  ],
  [
    'memberCount is a string',
    'teams',
    /memberCount/,
    { told: text((answer) => answer.replaceAll(/"memberCount":(\d+)/g, '"memberCount":"$1"')) },
  ],
  [
    'a taken name is 400 instead of 409',
    'teams',
    /^D32 POST \/teams/,
    { told: replaceStatus(409, 400) },
  ],
  [
    'an unknown team is 400 instead of 404',
    'teams',
    /unknown team is 404/,
    { told: replaceStatus(404, 400) },
  ],
  [
    'teams are listed oldest first',
    'teams',
    /^D7 GET \/teams/,
    { told: when('GET', /\/teams$/, body(reverseTeams)) },
  ],
  [
    'a foreign id is told apart from an unknown one',
    'teams',
    /^D3 DELETE/,
    {
      told: when(
        'DELETE',
        /\/teams\/[\da-f-]{36}$/,
        text((answer) => answer.replace('not found', 'not yours')),
      ),
    },
  ],
  ['answers are text/html', 'teams', /has a JSON body/, header('content-type', 'text/html')],
  [
    'a user lacks lastLogin',
    'users',
    /lastLogin/,
    { told: text((answer) => answer.replaceAll(/"lastLogin":(null|"[^"]*"),/g, '')) },
  ],
  [
    'times have no milliseconds',
    'users',
    /createdAt/,
    { told: text((answer) => answer.replaceAll(/(T\d\d:\d\d:\d\d)\.\d{3}Z/g, '$1Z')) },
  ],
  ['search is ignored', 'users', /^D33/, path(/search=[^&]*/, '')],
  [
    'a page past the end tells a total of 0',
    'users',
    /past the end has the true total/,
    {
      told: whenQuery(
        /page=9000000/,
        text((answer) => answer.replace(/"total":\d+/, '"total":0')),
      ),
    },
  ],
  [
    'pageSize=101 is cut to 100',
    'users',
    /pageSize=101 is 400/,
    path(/pageSize=101/, 'pageSize=100'),
  ],
  [
    'isNewUser is always true',
    'users',
    /isNewUser is false/,
    { told: text((answer) => answer.replace('"isNewUser":false', '"isNewUser":true')) },
  ],
  [
    'a slash at the end is 404',
    'campaigns',
    /^D8/,
    { told: whenQuery(/\/(\?|$)/, replaceStatus(200, 404)) },
  ],
  [
    'totalPages is always 1',
    'campaigns',
    /totalPages/,
    { told: text((answer) => answer.replace(/"totalPages":\d+/, '"totalPages":1')) },
  ],
  ['rows come twice over two pages', 'campaigns', /^D7 .* page 2/, path(/\bpage=2/, 'page=1')],
  [
    'status=inactive lists everything',
    'campaigns',
    /status=inactive/,
    path(/status=inactive/, 'status=all'),
  ],
  [
    'a change of nothing moves updatedAt',
    'campaigns',
    /empty object changes nothing/,
    { told: when('PATCH', /campaigns/, text(moveUpdatedAt)) },
  ],
  [
    'a password is told',
    'links',
    /password is not in the answer/,
    {
      told: when(
        'POST',
        /links$/,
        text((answer) =>
          answer.replace('"hasPassword":true', '"hasPassword":true,"password":"four"'),
        ),
      ),
    },
  ],
  ['a wrong kind of key is 403 instead of 401', 'keys', /^D4/, { told: replaceStatus(401, 403) }],
  ['Retry-After is missing', 'limits', /Retry-After/, header('retry-after', null)],
];

type Falsify = NonNullable<Fault['told']>;

function header(name: string, value: string | null): Fault {
  return {
    told: ({ headers }) => (value === null ? headers.delete(name) : headers.set(name, value)),
  };
}

function path(pattern: RegExp, replacement: string): Fault {
  return {
    asked: (asked) => Object.assign(asked, { path: asked.path.replace(pattern, replacement) }),
  };
}

function replaceStatus(from: number, to: number): Falsify {
  return (told) => told.status === from && Object.assign(told, { status: to });
}

function whenQuery(pattern: RegExp, falsify: Falsify): Falsify {
  return (told, asked) => pattern.test(asked.path) && falsify(told, asked);
}

function reverseTeams(json: Record<string, unknown>): void {
  if (Array.isArray(json['teams'])) json['teams'].reverse();
}

function moveUpdatedAt(answer: string): string {
  return answer.replace(/"updatedAt":"[^"]*"/, `"updatedAt":"${new Date().toISOString()}"`);
}

function when(
  method: string,
  path: RegExp,
  change: (told: Told, asked: Asked) => unknown,
): Falsify {
  return (told, asked) => {
    if (asked.method === method && path.test(asked.path.split('?')[0] ?? '')) change(told, asked);
  };
}

function text(change: (answer: string) => string): Falsify {
  return (told) => {
    told.text = change(told.text);
  };
}

function body(change: (json: Record<string, unknown>) => unknown): Falsify {
  return (told) => {
    if (!told.text.startsWith('{')) return;
    const json: Record<string, unknown> = JSON.parse(told.text);
    change(json);
    told.text = JSON.stringify(json);
  };
}
