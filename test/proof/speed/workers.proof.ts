import { fillWorkspace } from '../../bench/fill.ts';
import { atLeast } from '../../bench/goals.ts';
import { generator, load } from '../../bench/load.ts';
import { openBenchServer } from '../../bench/postgres.ts';
import { ours, type Server, startServer } from '../../bench/servers.ts';
import { median } from '../../bench/statistics.ts';
import { serverUrl } from '../faults/place.ts';
import { canReach } from '../fuzz/reach.ts';
import type { Proof } from '../proof.ts';

const rounds = 5;
const seconds = 5;
// The load and Postgres have the same cores: with two of them a second process can not double anything. It helps where the process is
// what limits, so a question is asked whose answer costs it more than the database.
const ratioMin = 1;
const users = 'items { id email firstName lastName createdAt lastLogin isAdmin teams { id name } } total page pageSize totalPages';
const sent = { method: 'POST' as const, body: JSON.stringify({ query: `{ users(page: 1, pageSize: 50) { ${users} } }` }) };
const paths = ['/graphql'];

export const proof: Proof = {
  claim: 'two workers answer more requests than one process',
  long: true,
  async attempt({ seed, say }) {
    if (!(await canReach(serverUrl))) return [{ figure: 'two workers beside one process', leftOut: 'no Postgres can be reached' }];
    const postgres = await openBenchServer(serverUrl);
    const servers: Server[] = [];
    try {
      const { url, run } = await postgres.createDatabase('workers');
      const { key } = await fillWorkspace(run, { slug: 'large', users: 500, seed });
      await run('vacuum analyze');
      for (const WORKERS of ['1', '2']) servers.push(await startServer(ours, { DATABASE_URL: url, WORKERS }));
      for (const server of servers) await load({ server, key, paths, sent, seconds });
      const perSecond: number[][] = servers.map(() => []);
      for (let round = 1; round <= rounds; round += 1) {
        for (const [at, server] of servers.entries()) perSecond[at]?.push((await load({ server, key, paths, sent, seconds })).perSecond);
        say(`round ${round} of ${rounds} by ${generator}: ${perSecond.map((taken) => Math.round(taken.at(-1) ?? 0)).join(' and ')} a second`);
      }
      const [one = [], two = []] = perSecond;
      const ratio = median(two.map((value, round) => value / (one[round] ?? Number.NaN)));
      return [
        atLeast(ratioMin, { figure: '50 of 500 users from the graph: requests a second of two workers, by those of one process', value: ratio, unit: '×' }),
      ];
    } finally {
      for (const server of servers) await server.stop();
      await postgres.close();
    }
  },
};
