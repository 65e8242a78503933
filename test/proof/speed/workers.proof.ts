import { fillWorkspace } from '../../bench/fill.ts';
import { atLeast } from '../../bench/goals.ts';
import { type Asked, generator, load } from '../../bench/load.ts';
import { openBenchServer } from '../../bench/postgres.ts';
import { ours, type Server, startServer } from '../../bench/servers.ts';
import { median } from '../../bench/statistics.ts';
import { serverUrl } from '../faults/place.ts';
import { canReach } from '../fuzz/reach.ts';
import type { Proof } from '../proof.ts';

const rounds = 5;
const seconds = 5;
// The load and Postgres have the same cores. So what the process alone answers shows what a second
// one adds; a list beside it shows what is left of that where Postgres has work as well.
const ratioMin = 1.2;
const viewers = Array.from(
  { length: 20 },
  (_, at) => `v${at}: viewer { kind isAdmin isPlatformSupport features }`,
).join(' ');
const users =
  'items { id email firstName lastName createdAt lastLogin isAdmin teams { id name } } total page pageSize totalPages';
const questions = [
  { name: 'what takes no database', query: `{ ${viewers} }` },
  { name: '50 of 500 users', query: `{ users(page: 1, pageSize: 50) { ${users} } }` },
];
const paths = ['/graphql'];

export const proof: Proof = {
  claim: 'a second worker adds to what one process answers',
  long: true,
  async attempt({ seed, say }) {
    if (!(await canReach(serverUrl)))
      return [{ figure: 'two workers beside one process', leftOut: 'no Postgres can be reached' }];
    const postgres = await openBenchServer(serverUrl);
    const servers: Server[] = [];
    try {
      const { url, run } = await postgres.createDatabase('workers');
      const { key } = await fillWorkspace(run, { slug: 'large', users: 500, seed });
      await run('vacuum analyze');
      for (const WORKERS of ['1', '2'])
        servers.push(await startServer(ours, { DATABASE_URL: url, WORKERS }));
      const ratios: number[] = [];
      for (const { name, query } of questions) {
        const asked = {
          key,
          paths,
          sent: { method: 'POST' as const, body: JSON.stringify({ query }) },
        };
        await requireData(servers[0], asked);
        for (const server of servers) await load({ server, ...asked, seconds });
        const rounded: number[] = [];
        for (let round = 1; round <= rounds; round += 1) {
          const taken: number[] = [];
          for (const server of servers)
            taken.push((await load({ server, ...asked, seconds })).perSecond);
          const [one = Number.NaN, two = Number.NaN] = taken;
          rounded.push(two / one);
          say(
            `${name}, round ${round} of ${rounds} by ${generator}: ${Math.round(one)} and ${Math.round(two)} a second`,
          );
        }
        ratios.push(median(rounded));
      }
      const [alone = Number.NaN, beside = Number.NaN] = ratios;
      const unit = '× one process';
      return [
        atLeast(ratioMin, {
          figure: `two workers, requests a second: ${questions[0]?.name} from the graph`,
          value: alone,
          unit,
        }),
        {
          figure: `two workers, requests a second: ${questions[1]?.name} from the graph`,
          value: beside,
          unit,
          goal: 'for comparison',
          held: true,
        },
      ];
    } finally {
      for (const server of servers) await server.stop();
      await postgres.close();
    }
  },
};

/** Refusing is fast as well. */
async function requireData(
  server: Server | undefined,
  { key, paths: [path = ''], sent }: Asked,
): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${server?.origin}${path}`, {
    method: 'POST',
    headers,
    body: sent?.body ?? '',
  });
  const text = await answer.text();
  if (answer.status !== 200 || text.includes('"errors"'))
    throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`);
}
