import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areas } from './areas.ts';
import { fetchAnswer } from './client.ts';
import { faults } from './faults.ts';
import { startFaultyServer } from './faulty-server.ts';
import { startOwnServer } from './own-server.ts';
import { runSuite } from './suite.ts';

let server: Awaited<ReturnType<typeof startOwnServer>>;
beforeAll(async () => {
  server = await startOwnServer();
}, 300_000);
afterAll(() => server.close());

const checkAreas = (url: string, names = Object.keys(areas), options: { stopAt?: RegExp } = {}) =>
  runSuite(Object.fromEntries(Object.entries(areas).filter(([name]) => names.includes(name))), {
    ...options,
    url,
    credentials: server.credentials,
    disposable: true,
    direct: true,
    note: () => undefined,
  });

/** Everything that the suite must leave unchanged. */
async function readContents() {
  const read = async (
    flag: 'org-key' | 'user-key',
    path: string,
    name: string,
    field: string,
  ): Promise<string[]> => {
    const answer = await fetchAnswer(server.url, {
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${server.credentials[flag]}` },
    });
    return answer
      .listAt(name)
      .map((item) => String(Object(item)[field]))
      .toSorted();
  };
  return {
    users: await read('org-key', '/api/user-management/v1/users?pageSize=100', 'users', 'email'),
    teams: await read('org-key', '/api/user-management/v1/teams', 'teams', 'name'),
    activeCampaigns: await read(
      'org-key',
      '/api/sponsorship/v1/campaigns?pageSize=100&status=active',
      'campaigns',
      'name',
    ),
    assistants: await read('user-key', '/api/assistants/v1', 'assistants', 'name'),
  };
}

describe('The contract suite', () => {
  it('The server passes every check of the contract over real sockets and is left unchanged', {
    timeout: 600_000,
  }, async () => {
    const before = await readContents();
    const report = await checkAreas(server.url);
    expect(report.failures).toEqual([]);
    expect([...report.skipped.keys()]).toEqual(['a file of exactly 150 MB']);
    expect(report.count).toBeGreaterThan(3300);
    expect(report.leftBehind.filter((item) => item.includes('could not be removed'))).toEqual([]);
    expect(await readContents()).toEqual(before);
  });

  it.each(faults)(
    'The suite detects that %s',
    { timeout: 300_000 },
    async (_, area, title, fault) => {
      const faulty = await startFaultyServer(server.url, fault);
      try {
        const report = await checkAreas(faulty.url, [area], { stopAt: title });
        expect(report.failures.map((failure) => failure.title)).toContainEqual(
          expect.stringMatching(title),
        );
      } finally {
        await faulty.close();
      }
    },
  );
});
