import { atLeast, type Goal } from './goals.ts';
import { load } from './load.ts';
import { measureIngest } from './vault-ingest.ts';
import { measureRetrieval, type RetrievalFigures } from './vault-retrieval.ts';
import { measureSearch } from './vault-search.ts';
import { benchSecret, type VaultServers, withVault } from './vault-servers.ts';

export type VaultFigures = { quick: boolean; goals: Goal[]; retrieval: RetrievalFigures[] };

const sizes = {
  full: {
    ingest: { fileMegabytes: 40, files: 200, largeMegabytes: 150, answerMegabytes: [1, 10, 100] },
    passages: [100_000, 1_000_000],
    seconds: 5,
  },
  quick: {
    ingest: { fileMegabytes: 4, files: 20, largeMegabytes: 15, answerMegabytes: [1, 10] },
    passages: [10_000, 40_000],
    seconds: 2,
  },
} satisfies Record<string, { ingest: object; passages: [number, number]; seconds: number }>;

/**
 * Measures all goals of the vault on the complete program: the vault and its vector database run as
 * separate processes.
 */
export async function measureVault(quick: boolean, seed: number): Promise<VaultFigures> {
  const { ingest, passages, seconds } = quick ? sizes.quick : sizes.full;
  const goals = await withVault(async (servers) => [
    ...(await measureIngest(servers, ingest, seed)),
    ...(await measureHealth(servers, seconds)),
  ]);
  goals.push(...(await withVault((servers) => measureSearch(servers, passages, seed))));
  const retrieval = await measureRetrieval();
  return { quick, goals: [...goals, ...goalsOfRetrieval(retrieval)], retrieval };
}

async function measureHealth({ vault }: VaultServers, seconds: number): Promise<Goal[]> {
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

/** The hybrid search must not be worse than the better of the two single searches. */
function goalsOfRetrieval(retrieval: RetrievalFigures[]): Goal[] {
  const all = retrieval.filter(({ kind }) => kind === 'all');
  const [singleModes, hybrid] = [
    all.filter(({ mode }) => mode !== 'hybrid'),
    all.find(({ mode }) => mode === 'hybrid'),
  ];
  const compareWithBest = (figure: string, figureOf: (quality: RetrievalFigures) => number) =>
    atLeast(Number(Math.max(...singleModes.map(figureOf)).toFixed(3)), {
      figure,
      value: Number((hybrid ? figureOf(hybrid) : Number.NaN).toFixed(3)),
      unit: '',
    });
  return [
    compareWithBest('retrieval, hybrid, recall at 5', ({ recallAt5 }) => recallAt5),
    compareWithBest('retrieval, hybrid, nDCG at 10', ({ ndcgAt10 }) => ndcgAt10),
  ];
}
