import { cpus, totalmem } from 'node:os';
import { generator } from './load.ts';
import type { ScaleFigures } from './scale.ts';
import type { SponsorshipFigures } from './sponsorship.ts';
import type { EmbeddedFigures, StartFigures } from './start-up.ts';
import type { TurnFigures } from './turns.ts';
import type { UploadFigures } from './uploads.ts';
import type { VaultFigures } from './vault.ts';

export type Machine = ReturnType<typeof describeMachine>;
export type Figures = {
  machine: Machine;
  seed: number;
  reads?: TurnFigures[];
  writes?: TurnFigures[];
  graphql?: TurnFigures[];
  scale?: ScaleFigures[];
  sponsorship?: SponsorshipFigures[];
  uploads?: UploadFigures;
  starts?: StartFigures;
  embedded?: EmbeddedFigures;
  vault?: VaultFigures;
};

export const describeMachine = (postgres: string | undefined) => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  postgres,
  load: generator,
});

export function print({
  machine,
  seed,
  reads = [],
  writes = [],
  graphql = [],
  scale = [],
  sponsorship = [],
  uploads,
  starts,
  embedded = [],
  vault,
}: Figures): void {
  const { cores, cpu, memoryGiB, node, postgres, load } = machine;
  console.log(
    `\n${cores} cores (${cpu}), ${memoryGiB} GiB, Node ${node}, ${postgres ? `Postgres ${postgres}, ` : ''}${load}, seed ${seed}`,
  );
  for (const { read, servers, ratios } of [...reads, ...writes, ...graphql]) {
    console.log(`\n${read}`);
    console.table(servers.map((server) => ({ server: server.name, ...rounded(server) })));
    for (const { over, requests } of ratios)
      console.log(`  ours is ${requests.toFixed(2)} × ${over}`);
  }
  if (scale[0])
    console.log(
      `\nA page of one organization, p50 in ms, at ${scale[0].users} and at ${scale[0].usersMore} users`,
    );
  if (scale[0])
    console.table(
      scale.map(({ question, ms, msMore, ratio, trigramScans }) => ({
        question,
        ms: fixed(ms),
        'ms more': fixed(msMore),
        ratio: fixed(ratio),
        'trigram scans each': fixed(trigramScans),
      })),
    );
  if (sponsorship[0])
    console.log(
      '\nA page of a small and of a large partner, half of whose links and redemptions are in one campaign, p50 in ms',
    );
  if (sponsorship[0])
    console.table(
      sponsorship.map(({ question, ms, msMore, ratio }) => ({
        question,
        ms: fixed(ms),
        'ms more': fixed(msMore),
        ratio: fixed(ratio),
      })),
    );
  if (uploads) {
    console.log(
      '\nUploads of 150 MB, each flushed to the disk and hashed, beside a server that only writes them down',
    );
    console.table([
      Object.fromEntries(Object.entries(uploads).map(([name, value]) => [name, fixed(value)])),
    ]);
  }
  if (starts)
    console.log(
      `\nEmbedded start: first ${fixed(starts.firstMs / 1000)} s, on existing data ${fixed(starts.againMs / 1000)} s`,
    );
  if (embedded[0]) console.log('\nEmbedded reads, for information');
  if (embedded[0])
    console.table(embedded.map(({ read, ...round }) => ({ read, ...rounded(round) })));
  if (vault) printVault(vault);
}

function printVault({ quick, goals, retrieval }: VaultFigures): void {
  console.log(
    `\nThe vault beside what is promised of it${quick ? ', quick: with smaller sizes than the promises are made for' : ''}`,
  );
  console.table(
    goals.map(({ figure, value, unit, goal, held }) => ({
      figure,
      value: Number(value.toFixed(value < 2 ? 3 : 1)),
      unit,
      goal,
      outcome: held ? 'held' : 'missed',
    })),
  );
  console.log(
    '\nRetrieval: how often the document that answers is among the first five, and how far up',
  );
  console.table(
    retrieval.map(({ recallAt5, ndcgAt10, ...row }) => ({
      ...row,
      'recall at 5': fixed(recallAt5),
      'nDCG at 10': fixed(ndcgAt10),
    })),
  );
}

const fixed = (value: number) => Number(value.toFixed(2));
const rounded = ({
  perSecond,
  p50Ms,
  p99Ms,
  cpuMicros,
}: TurnFigures['servers'][number] | Omit<EmbeddedFigures[number], 'read'>) => ({
  'requests/s': Math.round(perSecond),
  'p50 ms': fixed(p50Ms),
  'p99 ms': fixed(p99Ms),
  'cpu µs': Math.round(cpuMicros),
});
