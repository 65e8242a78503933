import { isDeepStrictEqual } from 'node:util';
import type { Server } from './servers.ts';

export const usersPath = '/api/user-management/v1/users';

type TestKeys = { key: string; withoutFeature: string };

const pageQueries = [
  '',
  '?page=2',
  '?page=25',
  '?page=3&pageSize=7',
  '?pageSize=100',
  '?pageSize=1&page=500',
  '?page=26',
  '?page=100000',
];
const searchTexts = [
  'maria',
  'MARIA.esche',
  '%25',
  'a_b',
  '.77@',
  '',
  'maria&page=2&pageSize=3',
  'maria&page=99',
  'nobody-is-called-so',
];
const faultyQueries = [
  'page=0',
  'page=abc',
  'page=01',
  'pageSize=101&page=-1',
  'pageSize=1.0',
  'page=1&page=2',
  'search=%00',
  `search=${'x'.repeat(201)}`,
];
const listQueries = [
  ...pageQueries,
  ...searchTexts.map((text) => `?search=${text}`),
  ...faultyQueries.map((query) => `?${query}`),
];

/**
 * A server that does less is faster. So before anything is measured, the peers must give the same
 * answers as ours.
 */
export async function assertSameAnswers(
  ownServer: Server,
  peer: Server,
  { key, withoutFeature }: TestKeys,
  userIds: string[],
): Promise<number> {
  const paths = [...listQueries, ...userIds.map((id) => `/${id}`), '/nobody', `/${userIds[0]}/`];
  const wrongKeys = ['sk_svc_um_nothing', `${key.slice(0, -1)}_`, withoutFeature];
  const cases = [
    ...paths.map((path) => ({ path: usersPath + path, authorization: `Bearer ${key}` })),
    ...['', 'Bearer', ...wrongKeys.map((wrong) => `Bearer ${wrong}`)].map((authorization) => ({
      path: usersPath,
      authorization,
    })),
  ];
  for (const { path, authorization } of cases) {
    const [expected, actual] = await Promise.all([
      readAnswer(ownServer, path, authorization),
      readAnswer(peer, path, authorization),
    ]);
    if (!isDeepStrictEqual(actual, expected))
      throw new Error(`${path}: the answers differ:\n${shorten(expected)}\n${shorten(actual)}`);
  }
  return cases.length;
}

const shorten = (value: unknown) => JSON.stringify(value).slice(0, 1_000);

const comparedHeaders = [
  'content-type',
  'content-length',
  'cache-control',
  'www-authenticate',
  'x-ratelimit-limit',
];
const presentHeaders = ['x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

async function readAnswer({ origin }: Server, path: string, authorization: string) {
  // The peers do not compress, so nobody is asked to; the load generator does not ask either.
  const response = await fetch(origin + path, {
    headers: { 'accept-encoding': 'identity', ...(authorization && { authorization }) },
  });
  const { headers } = response;
  return {
    status: response.status,
    body: (await response.text()).replaceAll(headers.get('x-request-id') ?? '-', '<request id>'),
    headers: comparedHeaders.map((name) => [name, headers.get(name)]),
    present: presentHeaders.map((name) => [name, headers.has(name)]),
  };
}
