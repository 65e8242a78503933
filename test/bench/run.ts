import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { compareGraphql } from './graphql.ts';
import { compareLists } from './lists.ts';
import { openBenchServer } from './postgres.ts';
import { compareReads } from './reads.ts';
import { describeMachine, type Figures, print } from './report.ts';
import { measureRuns } from './runs.ts';
import { compareSizes } from './scale.ts';
import { compareSponsorship } from './sponsorship.ts';
import { measureEmbedded, measureStarts } from './start-up.ts';
import { compareUploads } from './uploads.ts';
import { measureVault } from './vault.ts';
import { compareWrites } from './writes.ts';

/**
 * `npm run bench [-- --quick] [-- --only
 * reads,writes,graphql,scale,sponsorship,start,vault,runs,uploads] [-- --json file]`
 *
 * How fast the reads are beside hand-written servers, how their cost grows with the users of an
 * organization and with what a partner sponsors, how long a start takes, and whether the vault
 * keeps what is promised of it. Makes databases of its own on BENCH_DATABASE_URL and drops them;
 * starts and the vault need no Postgres.
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: {
      type: 'string',
      default: 'reads,writes,graphql,scale,sponsorship,start,vault,runs,uploads',
    },
    json: { type: 'string' },
    seed: { type: 'string', default: '42' },
  },
});
const parts = options.only.split(',');
const seed = Number(options.seed);
const effort = options.quick
  ? { rounds: 3, seconds: 2, warmSeconds: 2 }
  : { rounds: 7, seconds: 5, warmSeconds: 4 };
const partner = options.quick
  ? { campaigns: 1_000, links: 100_000, redemptions: 100_000 }
  : { campaigns: 1_000, links: 100_000, redemptions: 1_000_000 };
const sizes: [number, number] = options.quick ? [1_000, 100_000] : [1_000, 1_000_000];

const postgres = ['reads', 'writes', 'graphql', 'scale', 'sponsorship', 'uploads', 'runs'].some(
  (name) => parts.includes(name),
)
  ? await openBenchServer(
      process.env['BENCH_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
    )
  : undefined;
process.once('SIGINT', () => {
  Promise.resolve(postgres?.close()).finally(() => process.exit(130));
});
try {
  const figures: Figures = { machine: describeMachine(postgres?.version), seed };
  if (postgres && parts.includes('reads'))
    figures.reads = await part('Reads', async () => [
      ...(await compareReads(postgres, effort, seed)),
      ...(await compareLists(postgres, effort, seed)),
    ]);
  if (postgres && parts.includes('writes'))
    figures.writes = await part('Writes', () => compareWrites(postgres, effort, seed));
  if (postgres && parts.includes('graphql'))
    figures.graphql = await part('GraphQL', () => compareGraphql(postgres, effort, seed));
  if (postgres && parts.includes('scale'))
    figures.scale = await part('Scale', () => compareSizes(postgres, sizes, seed));
  if (postgres && parts.includes('sponsorship'))
    figures.sponsorship = await part('Sponsorship', () =>
      compareSponsorship(postgres, partner, seed),
    );
  if (postgres && parts.includes('uploads'))
    figures.uploads = await part('Uploads', () =>
      compareUploads(postgres, options.quick ? 3 : 7, seed),
    );
  if (parts.includes('start'))
    figures.starts = await part('Starts', () => measureStarts(options.quick ? 1 : 3));
  if (parts.includes('start'))
    figures.embedded = await part('Embedded', () => measureEmbedded(effort.seconds, seed));
  if (parts.includes('vault'))
    figures.vault = await part('Vault', () => measureVault(options.quick, seed));
  const load = options.quick
    ? { passages: 10_000, rounds: 50 }
    : { passages: 100_000, rounds: 300 };
  if (postgres && parts.includes('runs'))
    console.table(await part('Runs', () => measureRuns(postgres, load, seed)));
  print(figures);
  if (options.json) await writeFile(options.json, `${JSON.stringify(figures, null, 2)}\n`);
} finally {
  await postgres?.close();
}

function part<T>(title: string, measure: () => Promise<T>): Promise<T> {
  console.log(`${title} …`);
  return measure();
}
