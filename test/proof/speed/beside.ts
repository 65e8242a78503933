import { atLeast, type Goal } from '../../bench/goals.ts';
import { type BenchServer, openBenchServer } from '../../bench/postgres.ts';
import type { Effort, TurnFigures } from '../../bench/turns.ts';
import type { Finding } from '../proof.ts';

const effort: Effort = { rounds: 5, seconds: 4, warmSeconds: 4 };

/** What `compare` measured beside these peers, each figure at least so many times theirs. */
export async function beside(
  peers: string | string[],
  goal: number,
  compare: (postgres: BenchServer, effort: Effort) => Promise<TurnFigures[]>,
): Promise<Finding[]> {
  const postgres = await openBenchServer(
    process.env['BENCH_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  ).catch(() => undefined);
  if (!postgres)
    return [{ figure: `beside ${peers}`, leftOut: 'there is no Postgres on this machine' }];
  try {
    return (await compare(postgres, effort)).flatMap((figures) =>
      goalsOf(figures, [peers].flat(), goal),
    );
  } finally {
    await postgres.close();
  }
}

function goalsOf({ read, servers, ratios }: TurnFigures, peers: string[], goal: number): Goal[] {
  const rate = Math.round(servers[0]?.perSecond ?? 0).toLocaleString('en');
  return ratios
    .filter(({ over }) => peers.includes(over))
    .map(({ over, requests }) =>
      atLeast(goal, {
        figure: `${read}, ${rate} a second`,
        value: Number(requests.toFixed(2)),
        unit: `× ${over}`,
      }),
    );
}
