import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openBenchServer } from './postgres.ts';
import { compareReads } from './reads.ts';
import { describeMachine, type Figures, print } from './report.ts';
import { compareSizes } from './scale.ts';
import { compareSponsorship } from './sponsorship.ts';
import { measureEmbedded, measureStarts } from './start-up.ts';

/**
 * `npm run bench [-- --quick] [-- --only reads,scale,sponsorship,start] [-- --json file]`
 *
 * How fast the two hot reads are beside two hand-written servers, how their cost grows with the users of an
 * organization and with what a partner sponsors, and how long a start takes. Makes databases of its own on BENCH_DATABASE_URL and drops them.
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: 'reads,scale,sponsorship,start' },
    json: { type: 'string' },
    seed: { type: 'string', default: '42' },
  },
});
const parts = options.only.split(',');
const seed = Number(options.seed);
const effort = options.quick ? { rounds: 3, seconds: 2, warmSeconds: 2 } : { rounds: 7, seconds: 5, warmSeconds: 4 };
const partner = options.quick ? { campaigns: 1_000, links: 100_000, redemptions: 100_000 } : { campaigns: 1_000, links: 100_000, redemptions: 1_000_000 };
const sizes: [number, number] = options.quick ? [1_000, 100_000] : [1_000, 1_000_000];

const postgres = await openBenchServer(process.env['BENCH_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres');
process.once('SIGINT', () => {
  postgres.close().finally(() => process.exit(130));
});
try {
  const figures: Figures = { machine: describeMachine(postgres.version), seed };
  if (parts.includes('reads')) figures.reads = await part('Reads', () => compareReads(postgres, effort, seed));
  if (parts.includes('scale')) figures.scale = await part('Scale', () => compareSizes(postgres, sizes, seed));
  if (parts.includes('sponsorship')) figures.sponsorship = await part('Sponsorship', () => compareSponsorship(postgres, partner, seed));
  if (parts.includes('start')) figures.starts = await part('Starts', () => measureStarts(options.quick ? 1 : 3));
  if (parts.includes('start')) figures.embedded = await part('Embedded', () => measureEmbedded(effort.seconds, seed));
  print(figures);
  if (options.json) await writeFile(options.json, `${JSON.stringify(figures, null, 2)}\n`);
} finally {
  await postgres.close();
}

function part<T>(title: string, measure: () => Promise<T>): Promise<T> {
  console.log(`${title} …`);
  return measure();
}
