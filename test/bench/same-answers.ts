import { isDeepStrictEqual } from 'node:util';
import type { Server } from './servers.ts';

export const usersPath = '/api/user-management/v1/users';

type Keys = { key: string; withoutFeature: string };

const pages = [
  '',
  '?page=2',
  '?page=25',
  '?page=3&pageSize=7',
  '?pageSize=100',
  '?pageSize=1&page=500',
  '?page=26',
  '?page=100000',
];
const searches = [
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
const faults = [
  'page=0',
  'page=abc',
  'page=01',
  'pageSize=101&page=-1',
  'pageSize=1.0',
  'page=1&page=2',
  'search=%00',
  `search=${'x'.repeat(201)}`,
];
const lists = [
  ...pages,
  ...searches.map((text) => `?search=${text}`),
  ...faults.map((query) => `?${query}`),
];

/**
 * Servers that do less are faster. So, before any time is taken, the peers must answer byte for
 * byte like ours.
 */
export async function assertSameAnswers(
  ours: Server,
  peer: Server,
  { key, withoutFeature }: Keys,
  userIds: string[],
): Promise<number> {
  const paths = [...lists, ...userIds.map((id) => `/${id}`), '/nobody', `/${userIds[0]}/`];
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
      answer(ours, path, authorization),
      answer(peer, path, authorization),
    ]);
    if (!isDeepStrictEqual(actual, expected))
      throw new Error(`${path} is answered otherwise:\n${shown(expected)}\n${shown(actual)}`);
  }
  return cases.length;
}

const shown = (value: unknown) => JSON.stringify(value).slice(0, 1_000);

const comparedHeaders = [
  'content-type',
  'content-length',
  'cache-control',
  'www-authenticate',
  'x-ratelimit-limit',
];
const presentHeaders = ['x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

async function answer({ origin }: Server, path: string, authorization: string) {
  const response = await fetch(origin + path, { headers: authorization ? { authorization } : {} });
  const { headers } = response;
  return {
    status: response.status,
    body: (await response.text()).replaceAll(headers.get('x-request-id') ?? '-', '<request id>'),
    headers: comparedHeaders.map((name) => [name, headers.get(name)]),
    present: presentHeaders.map((name) => [name, headers.has(name)]),
  };
}
