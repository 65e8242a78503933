import { fillOrganization } from '../../bench/fill.ts';
import { atLeast } from '../../bench/goals.ts';
import { generator, type LoadRequest, load } from '../../bench/load.ts';
import { openBenchServer } from '../../bench/postgres.ts';
import { atriumScript, type Server, startServer } from '../../bench/servers.ts';
import { median } from '../../bench/statistics.ts';
import { serverUrl } from '../faults/data-location.ts';
import { isPostgresReachable } from '../fuzz/postgres-reachable.ts';
import type { Proof } from '../proof.ts';

const rounds = 5;
const seconds = 5;
// The load generator and Postgres share the cores with the server. A query without database access
// shows what a second worker adds; a list shows what remains when Postgres works too.
const ratioMin = 1.2;
const viewerFields = Array.from(
  { length: 20 },
  (_, at) => `v${at}: viewer { kind isAdmin isPlatformSupport features }`,
).join(' ');
const userFields =
  'nodes { id email firstName lastName createdAt lastLogin isAdmin teams { id name } } totalCount page pageSize totalPages';
const measuredQueries = [
  { name: 'a query without database access', query: `{ ${viewerFields} }` },
  { name: '50 of 500 users', query: `{ users(page: 1, pageSize: 50) { ${userFields} } }` },
];
const paths = ['/graphql'];

export const proof: Proof = {
  claim: 'A second worker increases the number of requests answered per second',
  long: true,
  async measure({ seed, log }) {
    if (!(await isPostgresReachable(serverUrl)))
      return [
        { figure: 'two workers compared with one process', skipped: 'no Postgres is reachable' },
      ];
    const postgres = await openBenchServer(serverUrl);
    const servers: Server[] = [];
    try {
      const { url, run } = await postgres.createDatabase('workers');
      const { key } = await fillOrganization(run, { slug: 'large', users: 500, seed });
      await run('vacuum analyze');
      for (const WORKERS of ['1', '2'])
        servers.push(await startServer(atriumScript, { DATABASE_URL: url, WORKERS }));
      const ratios: number[] = [];
      for (const { name, query } of measuredQueries) {
        const requestInput = {
          key,
          paths,
          payload: { method: 'POST' as const, body: JSON.stringify({ query }) },
        };
        await requireData(servers[0], requestInput);
        for (const server of servers) await load({ server, ...requestInput, seconds });
        const roundRatios: number[] = [];
        for (let round = 1; round <= rounds; round += 1) {
          const rates: number[] = [];
          for (const server of servers)
            rates.push((await load({ server, ...requestInput, seconds })).perSecond);
          const [onePerSecond = Number.NaN, twoPerSecond = Number.NaN] = rates;
          roundRatios.push(twoPerSecond / onePerSecond);
          log(
            `${name}, round ${round} of ${rounds} by ${generator}: ${Math.round(onePerSecond)} and ${Math.round(twoPerSecond)} a second`,
          );
        }
        ratios.push(median(roundRatios));
      }
      const [withoutDatabase = Number.NaN, withDatabase = Number.NaN] = ratios;
      const unit = '× one process';
      return [
        atLeast(ratioMin, {
          figure: `two workers, requests a second: ${measuredQueries[0]?.name}`,
          value: withoutDatabase,
          unit,
        }),
        {
          figure: `two workers, requests a second: ${measuredQueries[1]?.name}`,
          value: withDatabase,
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

/** Requires a successful answer, because refusals would be fast and spoil the comparison. */
async function requireData(
  server: Server | undefined,
  { key, paths: [path = ''], payload }: LoadRequest,
): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${server?.origin}${path}`, {
    method: 'POST',
    headers,
    body: payload?.body ?? '',
  });
  const text = await answer.text();
  if (answer.status !== 200 || text.includes('"errors"'))
    throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`);
}
