import { setTimeout as sleep } from 'node:timers/promises';
import { askInTurn } from './ask-in-turn.ts';
import { fillWorkspace } from './fill.ts';
import type { BenchDatabase, BenchServer } from './postgres.ts';
import { usersPath } from './same-answers.ts';
import { ours, startServer } from './servers.ts';
import { percentile } from './statistics.ts';

/** `trigramScans`: how often one request read the trigram index, as Postgres itself counted. */
type Asked = { p50Ms: number; trigramScans: number };
export type ScaleFigures = {
  question: string;
  users: number;
  usersMore: number;
  ms: number;
  msMore: number;
  ratio: number;
  trigramScans: number;
};

const questions = [
  { question: 'first page', query: () => '' },
  { question: 'middle page', query: (users: number) => `?page=${users / 20 / 2}` },
  { question: 'last page', query: (users: number) => `?page=${users / 20}` },
  { question: 'search, one matches', query: (users: number) => `?search=.${users}@` },
  { question: 'search, 5 % match', query: () => '?search=maria' },
  { question: 'search, all match', query: () => '?search=example' },
];

/**
 * What a page costs when its organization has more users: each question for itself, one request
 * after the other.
 */
export async function compareSizes(
  postgres: BenchServer,
  [users, usersMore]: [number, number],
  seed: number,
): Promise<ScaleFigures[]> {
  const few = await fill(postgres, users, seed);
  const many = await fill(postgres, usersMore, seed);
  const figures: ScaleFigures[] = [];
  for (const { question, query } of questions) {
    const { p50Ms: ms } = await ask(few, query(users));
    const { p50Ms: msMore, trigramScans } = await ask(many, query(usersMore));
    console.log(
      `  ${question}: ${ms.toFixed(2)} ms of ${users} users, ${msMore.toFixed(2)} ms of ${usersMore}`,
    );
    figures.push({ question, users, usersMore, ms, msMore, ratio: msMore / ms, trigramScans });
  }
  return figures;
}

type Filled = BenchDatabase & { key: string };

async function fill(postgres: BenchServer, users: number, seed: number): Promise<Filled> {
  const startedAt = performance.now();
  const database = await postgres.createDatabase(`users_${users}`);
  const { key } = await fillWorkspace(database.run, { slug: 'large', users, seed });
  for (const slug of ['small-1', 'small-2', 'small-3'])
    await fillWorkspace(database.run, { slug, users: 50, seed });
  await database.run('vacuum analyze');
  console.log(`  made ${users} users in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  return { ...database, key };
}

async function ask({ url, run, key }: Filled, query: string): Promise<Asked> {
  const scansBefore = await trigramScans(run);
  const server = await startServer(ours, { DATABASE_URL: url });
  const { requests, times } = await askInTurn(server.origin + usersPath + query, key).finally(
    server.stop,
  );
  await disconnected(run);
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

// The counts of a connection are all there when it has ended.
async function disconnected(run: BenchDatabase['run']): Promise<void> {
  const others = `select from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
  while ((await run(others)).length > 0) await sleep(10);
}
