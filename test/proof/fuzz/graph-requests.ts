import { formOf, formType } from '../../support/files.ts';
import { corruptBytes } from './break-body.ts';
import { fileContents } from './forms.ts';
import type { LiveIds } from './live-ids.ts';
import { type GeneratedOperation, operationFrom } from './operations.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { HttpRequest } from './send.ts';
import { oddValues } from './values.ts';

// Node refuses headers beyond 16 kB and closes the connection, possibly before its answer arrives.
// URLs therefore stay below 8,000 characters.
const addressMax = 8_000;

/** The credentials of the callers; one of them has none. */
export type CallerHeaders = readonly Record<string, string>[];

export function validGraphRequest(
  random: SeededRandom,
  ids: LiveIds,
  callers: CallerHeaders,
): HttpRequest {
  return toHttpRequest(random, operationFrom(random, ids, 0), random.pick(callers));
}

function toHttpRequest(
  random: SeededRandom,
  { kind, query, variables, file }: GeneratedOperation,
  caller: Record<string, string>,
): HttpRequest {
  const accept =
    kind === 'subscription'
      ? 'text/event-stream'
      : random.pick(['application/json', 'application/graphql-response+json', '*/*']);
  const headers = { accept, ...caller };
  const payload = {
    query,
    ...(Object.keys(variables).length > 0 || random.percent(20) ? { variables } : {}),
  };
  if (file !== undefined) {
    const body = formOf([
      { name: 'operations', content: Buffer.from(JSON.stringify(payload)) },
      { name: 'map', content: Buffer.from(JSON.stringify({ 0: [file] })) },
      { name: '0', ...random.sample(fileContents) },
    ]);
    return {
      method: 'POST',
      path: '/graphql',
      headers: { ...headers, 'x-requested-with': 'fuzz', 'content-type': formType },
      body,
    };
  }
  const search = new URLSearchParams({
    query: query.toWellFormed(),
    variables: JSON.stringify(variables),
  });
  if (kind === 'query' && String(search).length < addressMax && random.percent(10)) {
    return {
      method: 'GET',
      path: `/graphql?${search}`,
      headers: { ...headers, 'x-requested-with': 'fuzz' },
    };
  }
  return {
    method: 'POST',
    path: '/graphql',
    headers: { ...headers, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(payload)),
  };
}

const oddDocuments = [
  '',
  '{',
  '}',
  '{}',
  'query',
  'query A { __typename } query A { __typename }',
  'query A { __typename } query B { __typename }',
  'fragment A on Query { ...A }',
  'fragment A on Query { __typename }',
  '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
  '{ ...Missing }',
  '{ __typename @unknown }',
  '{ __typename @include }',
  '{ __typename @include(if: null) }',
  '{ __typename @skip(if: $x) }',
  'query ($x: Unknown) { __typename }',
  'query ($x: [[[Int!]!]!]!) { __typename }',
  'query ($x: Team) { __typename }',
  'query ($x: Int = "a") { users(page: $x) { totalCount } }',
  'query ($x: Int, $x: Int) { __typename }',
  'mutation { __typename }',
  'subscription { __typename }',
  'subscription { a: __typename b: __typename }',
  'type Query { a: Int }',
  'extend type Query { a: Int }',
  'schema { query: Query }',
  '{ __type(name: null) { name } }',
  '{ __type(name: "Query") { fields { name type { ofType { ofType { name } } } } } }',
  '{ teams { nodes { users(pageSize: 9223372036854775808) { totalCount } } } }',
  '{ users(page: 1e400) { totalCount } }',
  '{ users(search: """\\""" block \\u0000""") { totalCount } }',
  '{ users(search: "\\u{110000}") { totalCount } }',
  '{ users(search: "\\uD800") { totalCount } }',
  '{ __typename }\ufeff',
  '# only a comment',
  '{ a: __typename, a: viewer { __typename } }',
  `{ ${'viewer { '.repeat(50)} __typename ${'}'.repeat(51)}`,
  '{ __proto__ constructor toString }',
  'query __proto__ { __typename }',
  'query ($__proto__: Int) { users(page: $__proto__) { totalCount } }',
];

const methods = ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE'];
const types = [
  'text/plain',
  'application/graphql',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  '',
];

/** A request with odd values, and often with an invalid document, body or form. */
export function brokenGraphRequest(
  random: SeededRandom,
  ids: LiveIds,
  callers: CallerHeaders,
): HttpRequest {
  const operation = operationFrom(random, ids, 35);
  const caller = random.pick(callers);
  const post = (body: string | Uint8Array): HttpRequest => ({
    method: 'POST',
    path: '/graphql',
    headers: { ...caller, 'content-type': 'application/json' },
    body: Buffer.from(body),
  });
  const { query, variables } = operation;
  switch (random.below(10)) {
    case 0:
      return post(
        JSON.stringify({
          query: random.pick(oddDocuments),
          variables: random.pick([variables, null, {}, { x: random.pick(oddValues) }]),
        }),
      );
    case 1:
      return post(
        JSON.stringify({
          query: Buffer.from(corruptBytes(random, Buffer.from(query))).toString(),
          variables,
        }),
      );
    case 2:
      return post(corruptBytes(random, Buffer.from(JSON.stringify({ query, variables }))));
    case 3:
      return post(
        JSON.stringify(
          random.pick<unknown>([
            [{ query }, { query }],
            { query: random.pick(oddValues) },
            { query, variables: random.pick(oddValues) },
            { query, operationName: random.pick(oddValues) },
            { query, extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } },
            { query: random.pick([query, null]), documentId: random.pick(oddValues) },
            { documentId: `sha256:${'0'.repeat(64)}`, variables: random.pick(oddValues) },
            { extensions: { persistedQuery: random.pick(oddValues) } },
            {
              extensions: {
                persistedQuery: {
                  version: 1,
                  sha256Hash: random.pick<unknown>([...oddValues, '0'.repeat(64)]),
                },
              },
            },
            {
              query,
              variables: Object.fromEntries(
                Object.keys(variables).map((name) => [name, random.pick(oddValues)]),
              ),
            },
            {
              query: query.replace(/\w+/g, (word) => (random.percent(10) ? 'unknown' : word)),
              variables,
            },
          ]),
        ),
      );
    case 4:
      return { ...toHttpRequest(random, operation, caller), method: random.pick(methods) };
    case 5: {
      const request = toHttpRequest(random, operation, caller);
      return {
        ...request,
        headers: {
          ...request.headers,
          [random.pick(['content-type', 'accept'])]: random.pick(types),
        },
      };
    }
    case 6:
      return {
        method: 'GET',
        path: `/graphql?${new URLSearchParams({ query: query.toWellFormed().slice(0, addressMax / 4), variables: random.pick(['', '{', '[]', 'null', '{"v0":1}']) })}`,
        headers: { ...caller, 'x-requested-with': 'fuzz' },
      };
    default:
      return toHttpRequest(random, operation, caller);
  }
}
