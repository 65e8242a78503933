import { countEntries } from '../../src/modules/usage/count-entries.ts';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { fillOrganization } from './fill.ts';
import { below, type Goal } from './goals.ts';
import { measureLatency } from './measure-latency.ts';
import { type BenchServer, silent } from './postgres.ts';
import { atriumScript, startServer } from './servers.ts';
import { percentile } from './statistics.ts';

type UsageEffort = { runs: number; users: number };

const days = 365;
const answerMsMax = 100;

/** What the console draws, and the widest chart: a line for each of 20 assistants. */
const charts = ['day', 'assistant', 'user', 'key', 'model', 'day,model', 'day,assistant'];

/** Measures how long a chart of a year takes, in milliseconds, from the request to its last byte. */
export async function measureUsage(
  postgres: BenchServer,
  { runs, users }: UsageEffort,
  seed: number,
): Promise<Goal[]> {
  const { url, run } = await postgres.createDatabase('usage');
  const { organizationId, key } = await fillOrganization(run, { slug: 'usage', users, seed });
  const startedAt = performance.now();
  await run(
    `insert into usage_entries (run_id, step, organization_id, at, assistant_id, user_id, key_id, model, prompt_tokens, completion_tokens, cached_tokens, cost)
     select 'run-' || i, 1, $1, now() - i::numeric / $2::numeric * make_interval(days => $3::int - 1), 'assistant-' || i % 20, people.ids[1 + i % $4::int],
       case when i % 2 = 0 then 'key-' || i % 50 end, 'model-' || i % 5, 1000 + i % 500, 100 + i % 50, i % 100, 0.0025
     from generate_series(1, $2::int) i
     cross join (select array_agg(user_id order by user_id) as ids from memberships where organization_id = $1) people`,
    [organizationId, runs, days, users],
  );
  const database = await openDatabase({ databaseUrl: url, dataDir: 'unused', log: silent });
  await countEntries({ database: database.unscoped });
  await database.close();
  await run('vacuum analyze');
  console.log(
    `  ${runs.toLocaleString('en')} runs of ${users} people in ${Math.round((performance.now() - startedAt) / 1_000)} s`,
  );
  const server = await startServer(atriumScript, { DATABASE_URL: url });
  const dayIn = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  try {
    const goals: Goal[] = [];
    for (const groupBy of charts) {
      const query = new URLSearchParams({ from: dayIn(1 - days), until: dayIn(1), groupBy });
      const { times } = await measureLatency(`${server.origin}/api/usage/v1/usage?${query}`, key);
      const figure = `a year of ${runs.toLocaleString('en')} runs by ${groupBy}, p99`;
      goals.push(below(answerMsMax, { figure, value: percentile(times, 99), unit: 'ms' }));
    }
    return goals;
  } finally {
    await server.stop();
  }
}
