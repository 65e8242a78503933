import { setTimeout as sleep } from 'node:timers/promises';
import { fillOrganization } from './fill.ts';
import { measureLatency } from './measure-latency.ts';
import type { BenchDatabase, BenchServer } from './postgres.ts';
import { usersPath } from './same-answers.ts';
import { atriumScript, startServer } from './servers.ts';
import { percentile } from './statistics.ts';

/**
 * `trigramScans`: how often one request scanned the trigram index, according to the statistics of
 * Postgres.
 */
type PageFigures = { p50Ms: number; trigramScans: number };
export type ScaleFigures = {
  question: string;
  users: number;
  usersMore: number;
  ms: number;
  msMore: number;
  ratio: number;
  trigramScans: number;
};

/** Returns the path of a request to a server with this number of users. */
type PathFor = (users: number) => string;

const pageSize = 20;

const queries: { question: string; pathFor: PathFor }[] = [
  { question: 'first page', pathFor: () => usersPath },
  { question: 'middle page', pathFor: (size) => `${usersPath}?page=${size / pageSize / 2}` },
  { question: 'last page', pathFor: (size) => `${usersPath}?page=${size / pageSize}` },
  { question: 'search, one matches', pathFor: (size) => `${usersPath}?search=.${size}@` },
  { question: 'search, 5 % match', pathFor: () => `${usersPath}?search=maria` },
  { question: 'search, all match', pathFor: () => `${usersPath}?search=example` },
];

/**
 * Measures the cost of a page with few and with many users: each query separately, one request
 * after the other.
 */
export async function compareSizes(
  postgres: BenchServer,
  sizes: [number, number],
  seed: number,
): Promise<ScaleFigures[]> {
  const [users, usersMore] = sizes;
  const fewUsers = await createFilledDatabase(postgres, users, seed);
  const manyUsers = await createFilledDatabase(postgres, usersMore, seed);
  const figures: ScaleFigures[] = [];
  for (const { question, pathFor } of queries) {
    const { p50Ms: ms } = await measurePage(fewUsers, pathFor(sizes[0]));
    const { p50Ms: msMore, trigramScans } = await measurePage(manyUsers, pathFor(sizes[1]));
    console.log(
      `  ${question}: ${ms.toFixed(2)} ms of ${users} users, ${msMore.toFixed(2)} ms of ${usersMore}`,
    );
    figures.push({ question, users, usersMore, ms, msMore, ratio: msMore / ms, trigramScans });
  }
  return figures;
}

type FilledDatabase = BenchDatabase & { key: string };

async function createFilledDatabase(
  postgres: BenchServer,
  users: number,
  seed: number,
): Promise<FilledDatabase> {
  const startedAt = performance.now();
  const database = await postgres.createDatabase(`users_${users}`);
  const { key } = await fillOrganization(database.run, { slug: 'large', users, seed });
  for (const slug of ['small-1', 'small-2', 'small-3'])
    await fillOrganization(database.run, { slug, users: 50, seed });
  await database.run('vacuum analyze');
  console.log(
    `  created ${users} users in ${Math.round((performance.now() - startedAt) / 1000)} s`,
  );
  return { ...database, key };
}

async function measurePage({ url, run, key }: FilledDatabase, path: string): Promise<PageFigures> {
  const scansBefore = await trigramScans(run);
  const server = await startServer(atriumScript, { DATABASE_URL: url });
  const { requests, times } = await measureLatency(server.origin + path, key).finally(server.stop);
  await waitForDisconnect(run);
  return {
    p50Ms: percentile(times, 50),
    trigramScans: ((await trigramScans(run)) - scansBefore) / requests,
  };
}

async function trigramScans(run: BenchDatabase['run']): Promise<number> {
  const [row] = await run<{ scans: number }>(
    `select idx_scan::int as scans from pg_stat_user_indexes where indexrelname = 'users_search'`,
  );
  return row?.scans ?? 0;
}

// Postgres publishes the statistics of a connection when the connection ends.
async function waitForDisconnect(run: BenchDatabase['run']): Promise<void> {
  const others = `select from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
  while ((await run(others)).length > 0) await sleep(10);
}
