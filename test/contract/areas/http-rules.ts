import type { Answer } from '../answer.ts';
import type { Api, SendOptions } from '../client.ts';
import { type ContractCall, contractCalls, unknownPathOf } from '../contract-calls.ts';
import { checkLimitHeaders } from '../every-answer.ts';
import { including, matching, oneOf } from '../matchers.ts';
import type { CredentialName } from '../options.ts';
import type { Suite } from '../suite.ts';

const unusedKey = {
  user: 'sk_svc_0000000000000000000000000000000000000a',
  organization: 'sk_svc_um_0000000000000000000000000000000000000a',
};

/** Rules D1 to D8 and D47 for each documented call, then the rules that concern no single call. */
export async function checkHttpRules(suite: Suite): Promise<void> {
  for (const call of contractCalls) await checkCall(suite, call);
  await checkUnknownPaths(suite);
  await checkReading(suite);
}

const flagsOf: Record<
  ContractCall['key'],
  { own: CredentialName; wrong: CredentialName; plain: CredentialName }
> = {
  user: { own: 'user-key', wrong: 'org-key', plain: 'plain-user-key' },
  organization: { own: 'org-key', wrong: 'user-key', plain: 'plain-org-key' },
};

async function checkCall(suite: Suite, call: ContractCall): Promise<void> {
  const { check, send } = suite;
  const { name, method, bodyKind } = call;
  const path = unknownPathOf(call);
  const flags =
    call.area === 'sponsorship' && suite.credentials['sponsor-key'] !== undefined
      ? { ...flagsOf.organization, own: 'sponsor-key' as const }
      : flagsOf[call.key];
  const faulty: SendOptions =
    bodyKind === 'nothing'
      ? {}
      : bodyKind === 'json'
        ? { json: {} }
        : { body: 'x', headers: { 'content-type': 'text/plain' } };

  const withoutKey = await send(method, path, faulty);
  check(`D2 ${name} without a key is 401, whatever the body`, withoutKey, withoutKey.status, 401);
  check(
    `D10 ${name} without a key has no limit header`,
    withoutKey,
    withoutKey.headers.get('x-ratelimit-limit'),
    null,
  );
  const unknownKey = await send(method, path, { ...faulty, key: unusedKey[call.key] });
  check(`Part 7 ${name} with an unknown key is 401`, unknownKey, unknownKey.status, 401);
  const wrong = suite.api(flags.wrong, `${call.key} calls with the wrong kind of key`);
  if (wrong) {
    const refused = await wrong.send(method, path, faulty);
    check(`D4 ${name} with the wrong kind of key is 401`, refused, refused.status, 401);
  }
  const plain =
    call.area === 'assistants'
      ? undefined
      : suite.api(flags.plain, 'calls of an organization without the feature');
  if (plain) {
    const refused = await plain.send(method, path, faulty);
    check(
      `D2 ${name} without the feature is 403, whatever the body and the id`,
      refused,
      refused.status,
      403,
    );
  }
  const api = suite.api(flags.own, `${call.key} calls`);
  if (!api) return;
  await checkMethods(suite, api, call);
  if (bodyKind === 'json') await checkBodies(suite, api, call);
  if (method === 'GET' && path === call.template) {
    const head = await api.send('HEAD', path);
    check(`HTTP HEAD of ${name} is 200 without a body`, head, [head.status, head.text], [200, '']);
  }
}

async function checkMethods({ check }: Suite, api: Api, call: ContractCall): Promise<void> {
  const path = unknownPathOf(call);
  const allowed = contractCalls
    .filter(({ template }) => template === call.template)
    .map(({ method }) => method);
  // /users/add is also the path of a user with the id "add", who can be changed and removed.
  const isUser = call.template.endsWith('/users/add');
  for (const method of (isUser ? ['POST', 'PUT'] : ['POST', 'PUT', 'PATCH', 'DELETE'])
    .filter((candidate) => !allowed.includes(candidate))
    .slice(0, 2)) {
    const refused = await api.send(method, path, { json: {} });
    check(`D5 ${method} ${call.template} is 405`, refused, refused.status, 405);
    check(
      `D5 ${method} ${call.template} has Allow`,
      refused,
      refused.headers.get('allow'),
      including(...allowed),
    );
  }
  const slash = await api.send(
    call.method,
    `${path}/`,
    call.bodyKind === 'json' ? { json: {} } : {},
  );
  const without = await api.send(call.method, path, call.bodyKind === 'json' ? { json: {} } : {});
  check(
    `D8 ${call.name} with a trailing slash is the same call`,
    slash,
    [slash.status, slash.at('message')],
    [without.status, without.at('message')],
  );
}

/** Runs are excluded here: an assistant without access is refused before the body is read. */
async function checkBodies({ check }: Suite, api: Api, call: ContractCall): Promise<void> {
  if (call.area === 'assistants') return;
  const path = unknownPathOf(call);
  const send = (body: string, contentType: string, headers: Record<string, string> = {}) =>
    api.send(call.method, path, { body, headers: { 'content-type': contentType, ...headers } });
  for (const [description, body] of [
    ['a body that is not JSON', '{'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['an empty body', ''],
  ] as const) {
    const refused = await send(body, 'application/json');
    // An empty body counts as an empty object if all fields are optional. In that case the unknown
    // id is the fault.
    check(
      `D5 ${call.name} with ${description} is 400`,
      refused,
      refused.status,
      body === '' ? oneOf(400, 404, 200) : 400,
    );
  }
  for (const contentType of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=x',
  ]) {
    const refused = await send('{}', contentType);
    check(`D5 ${call.name} with ${contentType.split(';')[0]} is 415`, refused, refused.status, 415);
  }
  const expected = await send(
    '{"name":3,"email":3,"userId":3,"billingStatus":3,"newSponsoredUntil":3,"password":3}',
    'application/json',
  );
  for (const contentType of [
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON',
    'application/json; charset=utf8',
    'application/json; version=1',
    'application/json;',
  ]) {
    const accepted = await send(
      '{"name":3,"email":3,"userId":3,"billingStatus":3,"newSponsoredUntil":3,"password":3}',
      contentType,
    );
    check(
      `D5 ${call.name} accepts ${contentType} as JSON`,
      accepted,
      [accepted.status, accepted.at('message')],
      [400, expected.at('message')],
    );
  }
}

async function checkUnknownPaths(suite: Suite): Promise<void> {
  const { check } = suite;
  const paths = [
    '/api/unknown',
    '/api/user-management/v1',
    '/api/user-management/v2/users',
    '/api/sponsorship/v1/unknown',
    '/api/assistants/v1/unknown/unknown',
    '/api/assistant-files/v1',
    '/api',
  ];
  for (const flag of ['org-key', 'user-key'] as const) {
    const api = suite.api(flag, 'unknown paths');
    if (!api) continue;
    for (const path of paths) {
      const refused = await api.get(path);
      const name = `GET ${path} with ${flag === 'org-key' ? 'an organization key' : 'a user key'}`;
      check(`D5 ${name} is 404`, refused, refused.status, 404);
      checkLimitHeaders(check, `D47 ${name}`, refused);
    }
    const method = await api.send(
      'PUT',
      flag === 'org-key' ? '/api/user-management/v1/users' : '/api/assistants/v1',
      { json: {} },
    );
    checkLimitHeaders(check, `D47 405 with ${flag}`, method);
  }
  for (const path of paths) {
    const refused = await suite.send('GET', path);
    check(`D47 GET ${path} without a key is 401`, refused, refused.status, 401);
  }
  const method = await suite.send('PUT', '/api/user-management/v1/users');
  check('D47 a method that a path does not have is 401 without a key', method, method.status, 401);
}

/** How the deployment reads requests and protects its responses. */
async function checkReading(suite: Suite): Promise<void> {
  const { check } = suite;
  const api = suite.api('org-key', 'how requests are read');
  if (!api) return;
  const users = '/api/user-management/v1/users';
  const list = await api.get(users);
  check(
    'HTTP answers are not stored by caches',
    list,
    list.headers.get('cache-control'),
    matching(/no-store/),
  );
  check(
    'HTTP browsers must not guess another content type',
    list,
    list.headers.get('x-content-type-options'),
    'nosniff',
  );
  const ownRequestId = await api.get(users, {
    headers: { 'x-request-id': 'contract-suite.1' },
  });
  check(
    'D5 a well-formed X-Request-Id of the caller comes back',
    ownRequestId,
    ownRequestId.headers.get('x-request-id'),
    'contract-suite.1',
  );
  const twice = await api.get(`${users}?page=1&page=2`);
  check(
    'D6 GET /users: a repeated parameter is read as one value or gets 400',
    twice,
    twice.status,
    oneOf(200, 400),
  );
  const scheme = await api.get(users, { headers: { authorization: `bearer ${api.key}` } });
  check(
    'RFC 9110 the scheme Bearer is accepted in upper and lower case',
    scheme,
    scheme.status,
    200,
  );
  await checkIdempotency(suite, api);
  await checkCodings(suite, api);
}

/** Rule D45: Idempotency-Key. */
async function checkIdempotency({ check, prefix, addCleanup }: Suite, api: Api): Promise<void> {
  const teams = '/api/user-management/v1/teams';
  const send = (key: string, json: object): Promise<Answer> =>
    api.post(teams, json, { headers: { 'idempotency-key': key } });
  const first = await send(prefix, { name: `${prefix} once` });
  addCleanup(() => api.delete(`${teams}/${first.at('team.id')}`));
  const second = await send(prefix, { name: `${prefix} once` });
  check(
    'D45 POST with the same Idempotency-Key returns the same response',
    second,
    [second.status, second.text],
    [200, first.text],
  );
  check(
    'D45 a repeated response has Idempotency-Replayed',
    second,
    [first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')],
    [null, 'true'],
  );
  const count = (await api.get(teams))
    .listAt('teams')
    .filter((team) => Object(team).name === `${prefix} once`).length;
  check('D45 POST with the same Idempotency-Key is executed once', second, count, 1);
  const other = await send(prefix, { name: `${prefix} other` });
  check('D45 the same Idempotency-Key with another body is 422', other, other.status, 422);
  for (const key of ['with space', 'x'.repeat(256)]) {
    const refused = await send(key, { name: `${prefix} refused` });
    check(
      `D45 an Idempotency-Key ${key.length > 255 ? 'of 256 characters' : 'with a space'} is 400`,
      refused,
      refused.status,
      400,
    );
  }
  const conflict = await send(`${prefix}-2`, { name: `${prefix} once` });
  const again = await send(`${prefix}-2`, { name: `${prefix} free` });
  addCleanup(() => api.delete(`${teams}/${again.at('team.id')}`));
  const mutation =
    'mutation ($name: String!) { createTeam(input: { name: $name }) { team { id } } }';
  const graph = () =>
    api.graph(
      mutation,
      { name: `${prefix} graph` },
      { headers: { 'idempotency-key': `${prefix}-graph` } },
    );
  const created = await graph();
  addCleanup(() => api.delete(`${teams}/${created.at('data.createTeam.team.id')}`));
  const repeated = await graph();
  check(
    'D45 a mutation at /graphql with the same Idempotency-Key returns the same response',
    repeated,
    repeated.body,
    created.body,
  );
  check(
    'D45 a repeated response of a mutation at /graphql has Idempotency-Replayed',
    repeated,
    repeated.headers.get('idempotency-replayed'),
    'true',
  );
  const different = await api.graph(
    mutation,
    { name: `${prefix} graph 2` },
    { headers: { 'idempotency-key': `${prefix}-graph` } },
  );
  check(
    'D45 the same Idempotency-Key with another mutation is refused',
    different,
    different.at('data.createTeam.team.id'),
    undefined,
  );
  check(
    'D45 a refused request does not use up its Idempotency-Key',
    again,
    [conflict.status, again.status],
    [409, 200],
  );
}

/** Rule D46: content codings. */
async function checkCodings({ check }: Suite, api: Api): Promise<void> {
  const path = '/api/user-management/v1/users/add';
  const json = JSON.stringify({ email: 'not an address' });
  const send = (body: BodyInit, coding: string) =>
    api.send('POST', path, {
      body,
      headers: { 'content-type': 'application/json', 'content-encoding': coding },
    });
  const { gzipSync, deflateSync, brotliCompressSync } = await import('node:zlib');
  const expected = await api.post(path, { email: 'not an address' });
  for (const [coding, body] of [
    ['gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['br', brotliCompressSync(json)],
    ['identity', Buffer.from(json)],
    ['GZIP', gzipSync(json)],
  ] as const) {
    const accepted = await send(new Uint8Array(body), coding);
    check(
      `D46 a body with the coding ${coding} is decoded`,
      accepted,
      [accepted.status, accepted.at('message')],
      [400, expected.at('message')],
    );
  }
  for (const coding of ['br', 'gzip', 'deflate']) {
    const plain = await send(json, coding);
    check(`D46 a plain body that is declared as ${coding} gets 400`, plain, plain.status, 400);
    check(
      `D46 a plain body that is declared as ${coding} is not read as JSON`,
      plain,
      plain.at('message') === expected.at('message'),
      false,
    );
  }
  for (const coding of ['zstd', 'compress', 'x-unknown']) {
    const refused = await send(json, coding);
    check(`D46 a body with the coding ${coding} gets 415`, refused, refused.status, 415);
    check(
      `D46 the 415 for ${coding} has Accept-Encoding`,
      refused,
      refused.headers.get('accept-encoding'),
      including('gzip', 'deflate', 'br'),
    );
  }
  const tooLarge = await send(
    new Uint8Array(gzipSync(`{"email":"${'x'.repeat(3_000_000)}"}`)),
    'gzip',
  );
  check('D46 a body that is too large after decoding gets 413', tooLarge, tooLarge.status, 413);
}
