import { atLeast, type Goal } from './goals.ts';
import { load } from './load.ts';
import { measureIngest } from './vault-ingest.ts';
import { benchSecret, type VaultParts, withVault } from './vault-parts.ts';
import { measureRetrieval, type Quality } from './vault-retrieval.ts';
import { measureSearch } from './vault-search.ts';

export type VaultFigures = { quick: boolean; goals: Goal[]; retrieval: Quality[] };

const sizes = {
  full: {
    ingest: { fileMegabytes: 40, files: 200, largeMegabytes: 150 },
    passages: [100_000, 1_000_000],
    seconds: 5,
  },
  quick: {
    ingest: { fileMegabytes: 4, files: 20, largeMegabytes: 15 },
    passages: [10_000, 40_000],
    seconds: 2,
  },
} satisfies Record<string, { ingest: object; passages: [number, number]; seconds: number }>;

/**
 * All that is promised of the vault, on the program itself: the vault and its vector database as
 * processes of their own.
 */
export async function measureVault(quick: boolean, seed: number): Promise<VaultFigures> {
  const { ingest, passages, seconds } = quick ? sizes.quick : sizes.full;
  const goals = await withVault(async (parts) => [
    ...(await measureIngest(parts, ingest, seed)),
    ...(await measureHealth(parts, seconds)),
  ]);
  goals.push(...(await withVault((parts) => measureSearch(parts, passages, seed))));
  const retrieval = await measureRetrieval();
  return { quick, goals: [...goals, ...goalsOfRetrieval(retrieval)], retrieval };
}

async function measureHealth({ vault }: VaultParts, seconds: number): Promise<Goal[]> {
  const goals: Goal[] = [];
  for (const path of ['/health', '/health/system', '/health/ratelimit']) {
    await load({ server: vault, key: benchSecret, paths: [path], seconds: 1 });
    const { perSecond, cpuMicros } = await load({
      server: vault,
      key: benchSecret,
      paths: [path],
      seconds,
    });
    console.log(
      `  ${path}: ${Math.round(perSecond)} a second, ${Math.round(cpuMicros)} µs of the vault's processor each`,
    );
    goals.push(atLeast(5_000, { figure: path, value: perSecond, unit: 'calls/s' }));
  }
  return goals;
}

/** Both halves together may not find less than the better of them alone. */
function goalsOfRetrieval(retrieval: Quality[]): Goal[] {
  const all = retrieval.filter(({ kind }) => kind === 'all');
  const [halves, hybrid] = [
    all.filter(({ mode }) => mode !== 'hybrid'),
    all.find(({ mode }) => mode === 'hybrid'),
  ];
  const beside = (figure: string, of: (quality: Quality) => number) =>
    atLeast(Number(Math.max(...halves.map(of)).toFixed(3)), {
      figure,
      value: Number((hybrid ? of(hybrid) : Number.NaN).toFixed(3)),
      unit: '',
    });
  return [
    beside('retrieval, hybrid, recall at 5', ({ recallAt5 }) => recallAt5),
    beside('retrieval, hybrid, nDCG at 10', ({ ndcgAt10 }) => ndcgAt10),
  ];
}
