import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { type ServedApp, serveApp } from '../../support/serve-app.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const idOf = (text: string) => `sha256:${sha256(text)}`;
const unknownHash = sha256('{ unknown }');

const teams = 'query Teams($pageSize: Int) { teams(pageSize: $pageSize) { nodes { name } } }';
const create =
  'mutation Create($name: String!) { createTeam(input: { name: $name }) { team { name } } }';
const two = 'query A { a: __typename } query B { b: __typename }';
const partial = '{ vault { state } teams { totalCount } }';
const untrusted = '{ teams { totalCount } }';
const tooCostly =
  '{ a: users(pageSize: 100) { nodes { teams { users(pageSize: 100) { nodes { email } } } } } }';

/** The folder with a manifest in each of the two formats. */
function manifestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trusted-'));
  writeFileSync(
    join(folder, 'dashboard.json'),
    JSON.stringify({
      [sha256(teams)]: teams,
      [idOf(create)]: create,
      [sha256(two)]: two,
      [sha256(partial)]: partial,
    }),
  );
  writeFileSync(
    join(folder, 'mobile.json'),
    JSON.stringify({
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [{ id: sha256(tooCostly), body: tooCostly, name: 'Costly', type: 'query' }],
    }),
  );
  writeFileSync(join(folder, 'README.md'), 'not a manifest');
  return folder;
}

type Answer = { status: number; headers: Headers; text: string; body: unknown };
let folder: string;
let app: TestApp;
let served: ServedApp;
let owner: TestOrganization;

async function sendTo(
  { url }: ServedApp,
  key: string | null,
  {
    headers = {},
    query,
    body,
  }: { headers?: Record<string, string>; query?: Record<string, string>; body?: unknown },
): Promise<Answer> {
  const response = await fetch(`${url}/graphql${query ? `?${new URLSearchParams(query)}` : ''}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text && JSON.parse(text),
  };
}
const post = (body: object, headers?: Record<string, string>) =>
  sendTo(served, owner.key, { body, ...(headers && { headers }) });
const get = (query: Record<string, string>, headers?: Record<string, string>) =>
  sendTo(served, owner.key, { query, ...(headers && { headers }) });
const apollo = (hash: string, version: unknown = 1) => ({
  persistedQuery: { version, sha256Hash: hash },
});
const failure = (status: number, code: string, extensions: object = {}) => ({
  status,
  body: { errors: [{ extensions: { code, ...extensions } }] },
});
const modern = { accept: 'application/graphql-response+json' };

beforeAll(async () => {
  folder = manifestFolder();
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000', GRAPHQL_DOCUMENTS: folder });
  served = await serveApp(app);
  owner = await app.organization();
});
afterAll(async () => {
  served.close();
  await app.close();
});

describe('a request that names a trusted document', () => {
  it('is executed by POST and by GET, with its variables', async () => {
    const success = { status: 200, body: { data: { teams: { nodes: [{ name: 'Everyone' }] } } } };
    for (const documentId of [idOf(teams), sha256(teams)]) {
      expect(await post({ documentId, variables: { pageSize: 5 } })).toMatchObject(success);
      expect(await get({ documentId, variables: '{"pageSize":5}' })).toMatchObject(success);
    }
    expect(await post({ extensions: apollo(sha256(teams)) })).toMatchObject(success);
    expect(await get({ extensions: JSON.stringify(apollo(sha256(teams))) })).toMatchObject(success);
    expect(await post({ documentId: idOf(two), operationName: 'B' })).toMatchObject({
      body: { data: { b: 'Query' } },
    });
  });

  it('is checked as any other: its variables, its cost, and mutations by GET', async () => {
    expect(
      await post({ documentId: idOf(teams), variables: { pageSize: 1000 } }, modern),
    ).toMatchObject(
      failure(400, 'BAD_INPUT', { errors: [{ path: ['pageSize'], code: 'OUT_OF_RANGE' }] }),
    );
    const { body } = await post({ documentId: idOf(tooCostly) });
    expect(JSON.stringify(body)).toContain('more than 10000 values');
    const mutation = await get({ documentId: idOf(create), variables: '{"name":"By GET"}' });
    expect(mutation).toMatchObject(failure(405, 'METHOD_NOT_ALLOWED'));
    expect(mutation.headers.get('allow')).toBe('POST');
    expect(await app.database.prisma.team.count({ where: { name: 'By GET' } })).toBe(0);
  });

  it('is executed once with an Idempotency-Key, however its document is named', async () => {
    const headers = { 'idempotency-key': 'named-in-two-ways' };
    const variables = { name: 'Created once' };
    const first = await post({ documentId: idOf(create), variables }, headers);
    expect(first).toMatchObject({
      body: { data: { createTeam: { team: { name: 'Created once' } } } },
    });
    const second = await post({ query: create, variables }, headers);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.text).toBe(first.text);
    expect(await app.database.prisma.team.count({ where: { name: 'Created once' } })).toBe(1);
  });

  it('is read from a form with a file as well', async () => {
    const form = new FormData();
    form.set('operations', JSON.stringify({ documentId: idOf(teams), variables: { file: null } }));
    form.set('map', '{"file":["variables.file"]}');
    form.set('file', new Blob(['text']), 'a.txt');
    const response = await fetch(`${served.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.key}` },
      body: form,
    });
    expect(await response.json()).toMatchObject({ data: { teams: { nodes: expect.any(Array) } } });
  });
});

describe('a request that names an unknown document', () => {
  it('has the status of GraphQL over HTTP for a documentId', async () => {
    const documentId = `sha256:${unknownHash}`;
    const error = { code: 'PERSISTED_QUERY_NOT_FOUND', requestId: expect.any(String) };
    expect(await post({ documentId }, modern)).toMatchObject(failure(404, error.code, error));
    expect(await post({ documentId })).toMatchObject(failure(200, error.code, error));
    expect(await post({ documentId: 'x-custom:some.id' }, modern)).toMatchObject(
      failure(404, error.code),
    );
  });

  it('is answered as the clients of Apollo expect', async () => {
    for (const answer of [
      await post({ extensions: apollo(unknownHash) }, modern),
      await get({ extensions: JSON.stringify(apollo(unknownHash)) }),
    ]) {
      expect(answer).toMatchObject({
        status: 200,
        body: {
          errors: [
            {
              message: 'PersistedQueryNotFound',
              extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
            },
          ],
        },
      });
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('cannot add the document', async () => {
    const both = { query: untrusted, extensions: apollo(sha256(untrusted)) };
    expect(await post(both)).toMatchObject({
      body: { data: { teams: { totalCount: expect.any(Number) } } },
    });
    expect(await post({ extensions: apollo(sha256(untrusted)) })).toMatchObject(
      failure(200, 'PERSISTED_QUERY_NOT_FOUND'),
    );
  });

  it.each([
    [{ documentId: 'sha256:ABC' }, 'documentId', 'INVALID_FORMAT'],
    [{ documentId: 5 }, 'documentId', 'WRONG_TYPE'],
    [{ documentId: `sha256:${unknownHash}`, query: untrusted }, 'documentId', 'INVALID'],
    [{ documentId: idOf(teams), extensions: apollo(unknownHash) }, 'documentId', 'INVALID'],
    [
      { query: untrusted, extensions: apollo(unknownHash) },
      'extensions.persistedQuery.sha256Hash',
      'INVALID',
    ],
    [
      { extensions: apollo(sha256(teams), 2) },
      'extensions.persistedQuery.version',
      'UNKNOWN_VALUE',
    ],
    [{ extensions: apollo('short') }, 'extensions.persistedQuery.sha256Hash', 'INVALID_FORMAT'],
    [{ extensions: { persistedQuery: 7 } }, 'extensions.persistedQuery', 'WRONG_TYPE'],
    [{}, 'query', 'REQUIRED'],
  ])('is refused with the name of what is wrong: %j', async (body, field, code) => {
    expect(await post(body)).toMatchObject(
      failure(400, 'BAD_INPUT', { errors: [{ path: field.split('.'), code }] }),
    );
  });
});

describe('a query by GET that names a trusted document', () => {
  const request = { documentId: idOf(teams), variables: '{"pageSize":100}' };

  it('has a strong entity tag, and is 304 as long as its answer is the same', async () => {
    const first = await get(request);
    expect(first.headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect(first.headers.get('vary')).toMatch(
      /Authorization, Cookie, X-Atrium-Organization, Accept/,
    );
    const conditional = { 'if-none-match': first.headers.get('etag') ?? '' };
    const again = await get(request, conditional);
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(again.headers.get('vary')).toContain('Authorization');
    await owner.manage('POST', '/teams', { name: 'A new team' });
    const changed = await get(request, conditional);
    expect(changed).toMatchObject({ status: 200, body: { data: { teams: {} } } });
    expect(changed.headers.get('etag')).not.toBe(first.headers.get('etag'));
  });

  it('has another tag for another caller', async () => {
    const other = await app.organization();
    const [mine, theirs] = await Promise.all([
      get(request),
      sendTo(served, other.key, { query: request }),
    ]);
    expect(mine.headers.get('etag')).not.toBe(theirs.headers.get('etag'));
  });

  it.each([
    ['a text', () => get({ query: teams })],
    ['POST', () => post({ documentId: idOf(teams), variables: { pageSize: 100 } })],
    ['an error', () => get({ documentId: idOf(tooCostly) })],
    ['an error beside data', () => get({ documentId: idOf(partial) })],
  ])('is not stored with %s', async (_, send) => {
    const { headers } = await send();
    expect({ tag: headers.get('etag'), cache: headers.get('cache-control') }).toEqual({
      tag: null,
      cache: 'no-store',
    });
  });
});

describe('GRAPHQL_DOCUMENT_POLICY', () => {
  async function appWith(
    policy: string,
    run: (policed: TestApp, server: ServedApp) => Promise<void>,
  ) {
    const policed = await testApp({
      GRAPHQL_DOCUMENTS: join(folder, 'dashboard.json'),
      GRAPHQL_DOCUMENT_POLICY: policy,
      METRICS_TOKEN: 'a-token-for-metrics',
    });
    const server = await serveApp(policed);
    try {
      await run(policed, server);
    } finally {
      server.close();
      await policed.close();
    }
  }
  const refused = failure(403, 'FORBIDDEN', { reason: 'DOCUMENT_NOT_TRUSTED' });

  it('require refuses other documents, introspection too, and executes trusted ones', async () => {
    await appWith('require', async (policed, server) => {
      const { key } = await policed.organization();
      const send = (body: object) => sendTo(server, key, { body });
      expect(await send({ query: untrusted })).toMatchObject(refused);
      expect(await send({ query: '{ __schema { types { name } } }' })).toMatchObject(refused);
      expect(await sendTo(server, null, { body: { query: '{ __typename }' } })).toMatchObject(
        refused,
      );
      expect(await sendTo(server, key, { query: { query: untrusted } })).toMatchObject(refused);
      expect(await send({ query: `${teams} ` })).toMatchObject(refused);
      for (const body of [{ documentId: idOf(teams) }, { query: teams }])
        expect(await send(body)).toMatchObject({ status: 200, body: { data: { teams: {} } } });
    });
  });

  it('decides by the kind of caller, and prefer executes, logs and counts', async () => {
    const policy = 'user-key=require,organization-key=prefer';
    await appWith(policy, async (policed, server) => {
      const organization = await policed.organization();
      const { key: userKey } = await organization.userKey(organization.administratorId);
      const send = (key: string | null) => sendTo(server, key, { body: { query: untrusted } });
      expect(await send(userKey)).toMatchObject(refused);
      expect(await send(organization.key)).toMatchObject({ body: { data: { teams: {} } } });
      expect(await send(null)).toMatchObject(failure(200, 'UNAUTHENTICATED'));
      const logged = policed.logLines.filter((line) => line.includes(sha256(untrusted)));
      expect(logged.map((line) => JSON.parse(line))).toMatchObject([
        { kind: 'USER_KEY', policy: 'require' },
        { kind: 'ORGANIZATION_KEY', policy: 'prefer' },
      ]);
      const metrics = await fetch(`${server.url}/metrics`, {
        headers: { authorization: 'Bearer a-token-for-metrics' },
      });
      expect(await metrics.text()).toContain(
        'atrium_graphql_untrusted_documents_total{kind="ORGANIZATION_KEY"} 1',
      );
    });
  });

  it('without a manifest the clients of Apollo learn that no hash is known', async () => {
    const plain = await testApp();
    const server = await serveApp(plain);
    const { key } = await plain.organization();
    expect(
      await sendTo(server, key, { body: { extensions: apollo(sha256(teams)) } }),
    ).toMatchObject({
      status: 200,
      body: {
        errors: [
          {
            message: 'PersistedQueryNotSupported',
            extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' },
          },
        ],
      },
    });
    server.close();
    await plain.close();
  });
});
