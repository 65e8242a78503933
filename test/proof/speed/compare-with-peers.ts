import type { BenchEffort, ComparisonFigures } from '../../bench/compare-servers.ts';
import { atLeast, type Goal } from '../../bench/goals.ts';
import { type BenchServer, openBenchServer } from '../../bench/postgres.ts';
import type { ProofFinding } from '../proof.ts';

const effort: BenchEffort = { rounds: 5, seconds: 4, warmSeconds: 4 };

/** Runs a comparison. Each figure must be at least `goal` times that of each peer. */
export async function compareWithPeers(
  peers: string | string[],
  goal: number,
  compare: (postgres: BenchServer, effort: BenchEffort) => Promise<ComparisonFigures[]>,
): Promise<ProofFinding[]> {
  const postgres = await openBenchServer(
    process.env['BENCH_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  ).catch(() => undefined);
  if (!postgres) return [{ figure: `compared with ${peers}`, skipped: 'no Postgres is reachable' }];
  try {
    return (await compare(postgres, effort)).flatMap((figures) =>
      goalsOf(figures, [peers].flat(), goal),
    );
  } finally {
    await postgres.close();
  }
}

function goalsOf(
  { read, servers, ratios }: ComparisonFigures,
  peers: string[],
  goal: number,
): Goal[] {
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
