import type { Fault, ProxiedRequest, ProxiedResponse } from './faulty-server.ts';

/**
 * Ways to break the contract: a description, the area whose checks must detect it, and the title of
 * the failed check.
 */
export const faults: readonly (readonly [
  description: string,
  area: string,
  title: RegExp,
  fault: Fault,
])[] = [
  ['X-Request-Id is missing', 'teams', /^D5 .* X-Request-Id/, header('x-request-id', null)],
  [
    'every response has the same request id',
    'teams',
    /^D5 each response has its own request id/,
    header('x-request-id', 'same'),
  ],
  [
    'a creation gets 201',
    'teams',
    /^D1 POST \/teams answers 200/,
    { changeResponse: when('POST', /\/teams$/, replaceStatus(200, 201)) },
  ],
  [
    'a deletion returns an empty object',
    'teams',
    /^D31 DELETE/,
    {
      changeResponse: when(
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
    /message is a text/,
    { changeResponse: text((answer) => answer.replace(/"message":"/, '"text":"')) },
  ],
  [
    'the status of a successful response is ok',
    'teams',
    /status is success/,
    { changeResponse: text((answer) => answer.replace('"status":"success"', '"status":"ok"')) },
  ],
  [
    'memberCount is a string',
    'teams',
    /memberCount/,
    {
      changeResponse: text((answer) =>
        answer.replaceAll(/"memberCount":(\d+)/g, '"memberCount":"$1"'),
      ),
    },
  ],
  [
    'a name that is taken gets 400 instead of 409',
    'teams',
    /^D32 POST \/teams/,
    { changeResponse: replaceStatus(409, 400) },
  ],
  [
    'an unknown team gets 400 instead of 404',
    'teams',
    /unknown team is 404/,
    { changeResponse: replaceStatus(404, 400) },
  ],
  [
    'teams are listed oldest first',
    'teams',
    /^D7 GET \/teams/,
    { changeResponse: when('GET', /\/teams$/, body(reverseTeams)) },
  ],
  [
    'the error for a foreign id differs from that for an unknown one',
    'teams',
    /^D3 DELETE/,
    {
      changeResponse: when(
        'DELETE',
        /\/teams\/[\da-f-]{36}$/,
        text((answer) => answer.replace('not found', 'not yours')),
      ),
    },
  ],
  ['responses are text/html', 'teams', /has a JSON body/, header('content-type', 'text/html')],
  [
    'a user lacks lastLogin',
    'users',
    /lastLogin/,
    { changeResponse: text((answer) => answer.replaceAll(/"lastLogin":(null|"[^"]*"),/g, '')) },
  ],
  [
    'times have no milliseconds',
    'users',
    /createdAt/,
    { changeResponse: text((answer) => answer.replaceAll(/(T\d\d:\d\d:\d\d)\.\d{3}Z/g, '$1Z')) },
  ],
  ['search is ignored', 'users', /^D33/, path(/search=[^&]*/, '')],
  [
    'a page past the end has a total of 0',
    'users',
    /past the end has the correct total/,
    {
      changeResponse: whenQuery(
        /page=9000000/,
        text((answer) => answer.replace(/"total":\d+/, '"total":0')),
      ),
    },
  ],
  [
    'pageSize=101 is reduced to 100',
    'users',
    /pageSize=101 is 400/,
    path(/pageSize=101/, 'pageSize=100'),
  ],
  [
    'isNewUser is always true',
    'users',
    /isNewUser is false/,
    { changeResponse: text((answer) => answer.replace('"isNewUser":false', '"isNewUser":true')) },
  ],
  [
    'a trailing slash gets 404',
    'campaigns',
    /^D8/,
    { changeResponse: whenQuery(/\/(\?|$)/, replaceStatus(200, 404)) },
  ],
  [
    'totalPages is always 1',
    'campaigns',
    /totalPages/,
    { changeResponse: text((answer) => answer.replace(/"totalPages":\d+/, '"totalPages":1')) },
  ],
  ['the second page repeats the first', 'campaigns', /^D7 .* page 2/, path(/\bpage=2/, 'page=1')],
  [
    'status=inactive lists everything',
    'campaigns',
    /status=inactive/,
    path(/status=inactive/, 'status=all'),
  ],
  [
    'an empty change updates updatedAt',
    'campaigns',
    /empty object changes nothing/,
    { changeResponse: when('PATCH', /campaigns/, text(moveUpdatedAt)) },
  ],
  [
    'a response contains a password',
    'links',
    /password is not in the answer/,
    {
      changeResponse: when(
        'POST',
        /links$/,
        text((answer) =>
          answer.replace('"hasPassword":true', '"hasPassword":true,"password":"four"'),
        ),
      ),
    },
  ],
  [
    'a wrong kind of key gets 403 instead of 401',
    'keys',
    /^D4/,
    { changeResponse: replaceStatus(401, 403) },
  ],
  [
    'a durable run is answered with 200',
    'runs',
    /answers 202/,
    { changeResponse: when('POST', /\/run$/, replaceStatus(202, 200)) },
  ],
  [
    'a stream begins again in spite of Last-Event-ID',
    'runs',
    /after Last-Event-ID/,
    { changeRequest: (request) => delete request.headers['last-event-id'] },
  ],
  [
    'the run of another person is 403',
    'runs',
    /^Long runs: GET \/runs\/:runId for another member: 404/,
    { changeResponse: when('GET', /\/runs\/[\da-f-]{36}$/, replaceStatus(404, 403)) },
  ],
  [
    'the search of conversations is ignored',
    'conversations',
    /a search without a match/,
    path(/search=[^&]*/, ''),
  ],
  [
    'usage has no costs',
    'usage',
    /^Usage: rows/,
    { changeResponse: text((answer) => answer.replaceAll(/"cost":null,/g, '')) },
  ],
  ['Retry-After is missing', 'limits', /Retry-After/, header('retry-after', null)],
];

type ResponseChange = NonNullable<Fault['changeResponse']>;

function header(name: string, value: string | null): Fault {
  return {
    changeResponse: ({ headers }) =>
      value === null ? headers.delete(name) : headers.set(name, value),
  };
}

function path(pattern: RegExp, replacement: string): Fault {
  return {
    changeRequest: (request) =>
      Object.assign(request, { path: request.path.replace(pattern, replacement) }),
  };
}

function replaceStatus(from: number, to: number): ResponseChange {
  return (response) => response.status === from && Object.assign(response, { status: to });
}

function whenQuery(pattern: RegExp, change: ResponseChange): ResponseChange {
  return (response, request) => pattern.test(request.path) && change(response, request);
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
  change: (changeResponse: ProxiedResponse, changeRequest: ProxiedRequest) => unknown,
): ResponseChange {
  return (response, request) => {
    if (request.method === method && path.test(request.path.split('?')[0] ?? ''))
      change(response, request);
  };
}

function text(change: (answer: string) => string): ResponseChange {
  return (response) => {
    response.text = change(response.text);
  };
}

function body(change: (json: Record<string, unknown>) => unknown): ResponseChange {
  return (response) => {
    if (!response.text.startsWith('{')) return;
    const json: Record<string, unknown> = JSON.parse(response.text);
    change(json);
    response.text = JSON.stringify(json);
  };
}
