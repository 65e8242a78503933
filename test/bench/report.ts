import { cpus, totalmem } from 'node:os';
import { generator } from './load.ts';
import type { ReadFigures } from './reads.ts';
import type { ScaleFigures } from './scale.ts';
import type { SponsorshipFigures } from './sponsorship.ts';
import type { EmbeddedFigures, StartFigures } from './start-up.ts';

export type Machine = ReturnType<typeof describeMachine>;
export type Figures = {
  machine: Machine;
  seed: number;
  reads?: ReadFigures[];
  scale?: ScaleFigures[];
  sponsorship?: SponsorshipFigures[];
  starts?: StartFigures;
  embedded?: EmbeddedFigures;
};

export const describeMachine = (postgres: string) => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  postgres,
  load: generator,
});

export function print({ machine, seed, reads = [], scale = [], sponsorship = [], starts, embedded = [] }: Figures): void {
  console.log(
    `\n${machine.cores} cores (${machine.cpu}), ${machine.memoryGiB} GiB, Node ${machine.node}, Postgres ${machine.postgres}, ${machine.load}, seed ${seed}`,
  );
  for (const { read, servers, ratios } of reads) {
    console.log(`\n${read}`);
    console.table(servers.map((server) => ({ server: server.name, ...rounded(server) })));
    for (const { over, requests } of ratios) console.log(`  ours is ${requests.toFixed(2)} × ${over}`);
  }
  if (scale[0]) console.log(`\nA page of one organization, p50 in ms, at ${scale[0].users} and at ${scale[0].usersMore} users`);
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
  if (sponsorship[0]) console.log('\nA page of a small and of a large partner, half of whose links and redemptions are in one campaign, p50 in ms');
  if (sponsorship[0])
    console.table(sponsorship.map(({ question, ms, msMore, ratio }) => ({ question, ms: fixed(ms), 'ms more': fixed(msMore), ratio: fixed(ratio) })));
  if (starts) console.log(`\nEmbedded start: first ${fixed(starts.firstMs / 1000)} s, on existing data ${fixed(starts.againMs / 1000)} s`);
  if (embedded[0]) console.log('\nEmbedded reads, for information');
  if (embedded[0]) console.table(embedded.map(({ read, ...round }) => ({ read, ...rounded(round) })));
}

const fixed = (value: number) => Number(value.toFixed(2));
const rounded = ({ perSecond, p50Ms, p99Ms, cpuMicros }: ReadFigures['servers'][number] | Omit<EmbeddedFigures[number], 'read'>) => ({
  'requests/s': Math.round(perSecond),
  'p50 ms': fixed(p50Ms),
  'p99 ms': fixed(p99Ms),
  'cpu µs': Math.round(cpuMicros),
});
