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

const checked = (url: string, names = Object.keys(areas)) =>
  runSuite(Object.fromEntries(Object.entries(areas).filter(([name]) => names.includes(name))), {
    url,
    credentials: server.credentials,
    disposable: true,
    direct: true,
    note: () => undefined,
  });

/** What the suite has to leave as it was. */
async function contents() {
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

describe('npm run contract', () => {
  it('finds every sentence of the contract and every decision kept, over real sockets', {
    timeout: 600_000,
  }, async () => {
    const before = await contents();
    const report = await checked(server.url);
    expect(report.failures).toEqual([]);
    expect([...report.leftOut.keys()]).toEqual(['a file of exactly 150 MB']);
    expect(report.count).toBeGreaterThan(3300);
    expect(report.remains.filter((what) => what.includes('could not be removed'))).toEqual([]);
    expect(await contents()).toEqual(before);
  });

  it.each(faults)('notices that %s', { timeout: 300_000 }, async (_, area, title, fault) => {
    const faulty = await startFaultyServer(server.url, fault);
    try {
      const report = await checked(faulty.url, [area]);
      expect(report.failures.map((failure) => failure.title)).toContainEqual(
        expect.stringMatching(title),
      );
    } finally {
      await faulty.close();
    }
  });
});
