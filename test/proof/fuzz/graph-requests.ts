import { noisy } from './break-body.ts';
import type { Chance } from './chance.ts';
import { fileContents, formOf } from './forms.ts';
import type { LiveIds } from './live-ids.ts';
import { type Operation, operationFrom } from './operations.ts';
import type { Ask } from './send.ts';
import { oddValues } from './values.ts';

// Node refuses 16 kB of head by cutting the connection, and that may overtake its answer.
const addressMax = 8_000;

/** Who asks: the headers that open the graph, or none. */
export type Viewers = readonly Record<string, string>[];

export function validQuestion(chance: Chance, ids: LiveIds, viewers: Viewers): Ask {
  return askOf(chance, operationFrom(chance, ids, 0), chance.pick(viewers));
}

function askOf(
  chance: Chance,
  { kind, query, variables, file }: Operation,
  viewer: Record<string, string>,
): Ask {
  const accept =
    kind === 'subscription'
      ? 'text/event-stream'
      : chance.pick(['application/json', 'application/graphql-response+json', '*/*']);
  const headers = { accept, ...viewer };
  const question = {
    query,
    ...(Object.keys(variables).length > 0 || chance.percent(20) ? { variables } : {}),
  };
  if (file !== undefined) {
    const { type, body } = formOf([
      { name: 'operations', content: Buffer.from(JSON.stringify(question)) },
      { name: 'map', content: Buffer.from(JSON.stringify({ 0: [file] })) },
      { name: '0', ...chance.of(fileContents) },
    ]);
    return {
      method: 'POST',
      path: '/graphql',
      headers: { ...headers, 'x-requested-with': 'fuzz', 'content-type': type },
      body,
    };
  }
  const search = new URLSearchParams({
    query: query.toWellFormed(),
    variables: JSON.stringify(variables),
  });
  if (kind === 'query' && String(search).length < addressMax && chance.percent(10)) {
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
    body: Buffer.from(JSON.stringify(question)),
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
  'query ($x: Int = "a") { users(page: $x) { total } }',
  'query ($x: Int, $x: Int) { __typename }',
  'mutation { __typename }',
  'subscription { __typename }',
  'subscription { a: __typename b: __typename }',
  'type Query { a: Int }',
  'extend type Query { a: Int }',
  'schema { query: Query }',
  '{ __type(name: null) { name } }',
  '{ __type(name: "Query") { fields { name type { ofType { ofType { name } } } } } }',
  '{ teams { users(pageSize: 9223372036854775808) { total } } }',
  '{ users(page: 1e400) { total } }',
  '{ users(search: """\\""" block \\u0000""") { total } }',
  '{ users(search: "\\u{110000}") { total } }',
  '{ users(search: "\\uD800") { total } }',
  '{ __typename }\ufeff',
  '# only a comment',
  '{ a: __typename, a: viewer { __typename } }',
  `{ ${'viewer { '.repeat(50)} __typename ${'}'.repeat(51)}`,
  '{ __proto__ constructor toString }',
  'query __proto__ { __typename }',
  'query ($__proto__: Int) { users(page: $__proto__) { total } }',
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

/** A question with odd values in it, and often with a document, a body or a form that is none. */
export function brokenQuestion(chance: Chance, ids: LiveIds, viewers: Viewers): Ask {
  const operation = operationFrom(chance, ids, 35);
  const viewer = chance.pick(viewers);
  const post = (body: string | Uint8Array): Ask => ({
    method: 'POST',
    path: '/graphql',
    headers: { ...viewer, 'content-type': 'application/json' },
    body: Buffer.from(body),
  });
  const { query, variables } = operation;
  switch (chance.below(10)) {
    case 0:
      return post(
        JSON.stringify({
          query: chance.pick(oddDocuments),
          variables: chance.pick([variables, null, {}, { x: chance.pick(oddValues) }]),
        }),
      );
    case 1:
      return post(
        JSON.stringify({
          query: Buffer.from(noisy(chance, Buffer.from(query))).toString(),
          variables,
        }),
      );
    case 2:
      return post(noisy(chance, Buffer.from(JSON.stringify({ query, variables }))));
    case 3:
      return post(
        JSON.stringify(
          chance.pick<unknown>([
            [{ query }, { query }],
            { query: chance.pick(oddValues) },
            { query, variables: chance.pick(oddValues) },
            { query, operationName: chance.pick(oddValues) },
            { query, extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } },
            {
              query,
              variables: Object.fromEntries(
                Object.keys(variables).map((name) => [name, chance.pick(oddValues)]),
              ),
            },
            {
              query: query.replace(/\w+/g, (word) => (chance.percent(10) ? 'unknown' : word)),
              variables,
            },
          ]),
        ),
      );
    case 4:
      return { ...askOf(chance, operation, viewer), method: chance.pick(methods) };
    case 5: {
      const ask = askOf(chance, operation, viewer);
      return {
        ...ask,
        headers: { ...ask.headers, [chance.pick(['content-type', 'accept'])]: chance.pick(types) },
      };
    }
    case 6:
      return {
        method: 'GET',
        path: `/graphql?${new URLSearchParams({ query: query.toWellFormed().slice(0, addressMax / 4), variables: chance.pick(['', '{', '[]', 'null', '{"v0":1}']) })}`,
        headers: { ...viewer, 'x-requested-with': 'fuzz' },
      };
    default:
      return askOf(chance, operation, viewer);
  }
}
