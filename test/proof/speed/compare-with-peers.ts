import type { BenchEffort, ComparisonFigures } from '../../bench/compare-servers.ts';
import { atLeast, type Goal } from '../../bench/goals.ts';
import { type BenchServer, openBenchServer } from '../../bench/postgres.ts';
import type { ProofFinding } from '../proof.ts';

const effort: BenchEffort = { rounds: 5, seconds: 4, warmSeconds: 4 };

/** How many times as fast as a peer Atrium must be; `compared` for a peer that is no goal. */
type PeerGoal = number | 'compared' | ((read: string) => number);
type PeerGoals = Record<string, PeerGoal>;

/** Runs a comparison, and judges the figures by the goals for these peers. */
export async function compareWithPeers(
  goals: PeerGoals,
  compare: (postgres: BenchServer, effort: BenchEffort) => Promise<ComparisonFigures[]>,
): Promise<ProofFinding[]> {
  const postgres = await openBenchServer(
    process.env['BENCH_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  ).catch(() => undefined);
  if (!postgres)
    return [
      {
        figure: `compared with ${Object.keys(goals).join(', ')}`,
        skipped: 'no Postgres is reachable',
      },
    ];
  try {
    return (await compare(postgres, effort)).flatMap((figures) => findingsOf(figures, goals));
  } finally {
    await postgres.close();
  }
}

function findingsOf({ read, servers, ratios }: ComparisonFigures, goals: PeerGoals): Goal[] {
  const rate = Math.round(servers[0]?.perSecond ?? 0).toLocaleString('en');
  return ratios.flatMap(({ over, requests }) => {
    const goal = goals[over];
    const figure = {
      figure: `${read}, ${rate} a second`,
      value: Number(requests.toFixed(2)),
      unit: `× ${over}`,
    };
    if (goal === undefined) return [];
    if (goal === 'compared') return [{ ...figure, goal: 'for comparison', held: true }];
    return [atLeast(typeof goal === 'number' ? goal : goal(read), figure)];
  });
}
