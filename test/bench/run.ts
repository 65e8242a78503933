import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { measureAnswers } from './answers.ts';
import { measureConsole } from './console.ts';
import { compareGraphql } from './graphql.ts';
import { compareCursorPages } from './keyset.ts';
import { compareLists } from './lists.ts';
import { openBenchServer } from './postgres.ts';
import { compareReads } from './reads.ts';
import { type BenchFigures, describeMachine, printFigures } from './report.ts';
import { measureRuns } from './runs.ts';
import { compareSizes } from './scale.ts';
import { compareSponsorship } from './sponsorship.ts';
import { measureEmbedded, measureStarts } from './start-up.ts';
import { compareUploads } from './uploads.ts';
import { measureUsage } from './usage.ts';
import { measureVault } from './vault.ts';
import { measurePdf } from './vault-pdf.ts';
import { compareWrites } from './writes.ts';

/**
 * `npm run bench [-- --quick] [-- --only
 * reads,writes,graphql,scale,sponsorship,start,vault,answers,runs,usage,uploads,console] [-- --json file] [-- --beside
 * checkout]`
 *
 * Measures how fast the API is compared with hand-written servers, how its cost grows with the
 * users of an organization and the size of a partner, how long a start takes, and whether the vault
 * meets its goals. It creates its own databases on BENCH_DATABASE_URL and drops them at the end.
 * Starts, the vault and answers need no Postgres; `--each` prints every answer. Runs are measured side by side with another checkout.
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: {
      type: 'string',
      default:
        'reads,writes,graphql,scale,sponsorship,start,vault,answers,runs,usage,uploads,console',
    },
    json: { type: 'string' },
    seed: { type: 'string', default: '42' },
    beside: { type: 'string' },
    each: { type: 'boolean', default: false },
  },
});
const selectedParts = options.only.split(',');
const seed = Number(options.seed);
const effort = options.quick
  ? { rounds: 3, seconds: 2, warmSeconds: 2 }
  : { rounds: 7, seconds: 5, warmSeconds: 4 };
const partnerSize = options.quick
  ? { campaigns: 1_000, links: 100_000, redemptions: 100_000 }
  : { campaigns: 1_000, links: 100_000, redemptions: 1_000_000 };
const sizes: [number, number] = options.quick ? [1_000, 100_000] : [1_000, 1_000_000];

const withPostgres = 'reads,writes,graphql,scale,sponsorship,uploads,runs,usage,console'.split(',');
const postgres = withPostgres.some((name) => selectedParts.includes(name))
  ? await openBenchServer(
      process.env['BENCH_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
    )
  : undefined;
process.once('SIGINT', () => {
  Promise.resolve(postgres?.close()).finally(() => process.exit(130));
});
try {
  const figures: BenchFigures = { machine: describeMachine(postgres?.version), seed };
  if (postgres && selectedParts.includes('reads'))
    figures.reads = await runPart('Reads', async () => [
      ...(await compareReads(postgres, effort, seed)),
      ...(await compareLists(postgres, effort, seed)),
    ]);
  if (postgres && selectedParts.includes('writes'))
    figures.writes = await runPart('Writes', () => compareWrites(postgres, effort, seed));
  if (postgres && selectedParts.includes('graphql'))
    figures.graphql = await runPart('GraphQL', () => compareGraphql(postgres, effort, seed));
  if (postgres && selectedParts.includes('scale'))
    figures.scale = await runPart('Scale', () => compareSizes(postgres, sizes, seed));
  if (postgres && selectedParts.includes('scale'))
    figures.keyset = await runPart('Pages by cursor', () =>
      compareCursorPages(postgres, sizes[1], seed),
    );
  if (postgres && selectedParts.includes('sponsorship'))
    figures.sponsorship = await runPart('Sponsorship', () =>
      compareSponsorship(postgres, partnerSize, seed),
    );
  if (postgres && selectedParts.includes('uploads'))
    figures.uploads = await runPart('Uploads', () =>
      compareUploads(postgres, options.quick ? 3 : 7, seed),
    );
  if (selectedParts.includes('start'))
    figures.starts = await runPart('Starts', () => measureStarts(options.quick ? 1 : 3));
  if (selectedParts.includes('start'))
    figures.embedded = await runPart('Embedded', () => measureEmbedded(effort.seconds, seed));
  if (selectedParts.includes('vault'))
    figures.vault = await runPart('Vault', () => measureVault(options.quick, seed));
  if (selectedParts.includes('answers'))
    figures.answers = await runPart('Answers', () => measureAnswers(options.each));
  if (selectedParts.includes('answers')) figures.pdf = await runPart('PDF', measurePdf);
  const load = options.quick
    ? { passages: 10_000, rounds: 50, bursts: 3 }
    : { passages: 100_000, rounds: 300, bursts: 10 };
  if (postgres && selectedParts.includes('runs')) {
    const runs = await runPart('Runs', () =>
      measureRuns(postgres, { ...load, beside: options.beside }, seed),
    );
    console.table(runs.figures);
    figures.goals = runs.goals;
  }
  const year = { runs: options.quick ? 100_000 : 1_000_000, users: 50 };
  if (postgres && selectedParts.includes('usage'))
    figures.goals = [
      ...(figures.goals ?? []),
      ...(await runPart('Usage', () => measureUsage(postgres, year, seed))),
    ];
  const consoleSize = {
    ...{ conversations: 10_000, files: 10_000, assistants: 1_000 },
    redemptions: options.quick ? 100_000 : 1_000_000,
  };
  if (postgres && selectedParts.includes('console'))
    figures.goals = [
      ...(figures.goals ?? []),
      ...(await runPart('Console', () =>
        measureConsole(postgres, consoleSize, { rounds: options.quick ? 3 : 7, seed }),
      )),
    ];
  printFigures(figures);
  if (options.json) await writeFile(options.json, `${JSON.stringify(figures, null, 2)}\n`);
} finally {
  await postgres?.close();
}

function runPart<T>(title: string, measure: () => Promise<T>): Promise<T> {
  console.log(`${title} …`);
  return measure();
}
