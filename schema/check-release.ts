import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildSchema, findDangerousChanges } from 'graphql';
import { readUsage, type Usage } from '../src/graph/usage/stored-usage.ts';
import { openDatabase } from '../src/platform/database/open-database.ts';
import { createErrorLog } from '../src/platform/log.ts';
import { prepareProgram } from '../src/platform/prepare-program.ts';
import { compareRelease } from './compare-release.ts';

/** What was used in these days must not be broken. */
const days = 30;
const current = new URL('./schema.graphql', import.meta.url);
const released = new URL('./released.graphql', import.meta.url);

/**
 * `npm run schema:check` compares the schema with the last release, and fails if a change breaks
 * what clients have used. `-- --usage <file>` reads the uses from a file instead of the database,
 * `-- --export <file>` writes this file, `-- --against <file>` compares
 * with another release, and `-- --release` makes the schema the last release.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      usage: { type: 'string' },
      export: { type: 'string' },
      release: { type: 'boolean' },
      against: { type: 'string' },
    },
  });
  if (values.release) copyFileSync(current, released);
  else if (values.export !== undefined)
    writeFileSync(values.export, `${JSON.stringify(Object.fromEntries(await storedUsage()))}\n`);
  else await check(values.against ?? released, values.usage);
}

async function check(release: string | URL, file: string | undefined): Promise<void> {
  const before = buildSchema(readFileSync(release, 'utf8'));
  const after = buildSchema(readFileSync(current, 'utf8'));
  for (const { description } of findDangerousChanges(before, after))
    printLine(`note: ${description}`);
  const hasBreakingChange = compareRelease(before, after, new Map()).length > 0;
  const usage = hasBreakingChange ? await usageFrom(file) : new Map<string, number>();
  const changes = compareRelease(before, after, usage);
  for (const { description, used, isRefused } of changes)
    printLine(
      isRefused
        ? `refused: ${description} ${used.map(([name, uses]) => `${name} was used ${uses} times in ${days} days.`).join(' ')}`.trim()
        : `unused: ${description}`,
    );
  if (changes.length === 0) printLine('Nothing of the last release is removed or changed.');
  if (changes.some(({ isRefused }) => isRefused)) process.exitCode = 1;
}

const usageFrom = (file: string | undefined): Promise<Usage> | Usage =>
  file === undefined
    ? storedUsage()
    : new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8'))));

async function storedUsage(): Promise<Usage> {
  const env = prepareProgram();
  if (env.DATABASE_URL === undefined)
    throw new Error('Set DATABASE_URL, or name a file of uses with -- --usage <file>.');
  const database = await openDatabase({
    databaseUrl: env.DATABASE_URL,
    dataDir: env.DATA_DIR,
    isPatient: true,
    log: createErrorLog(env),
  });
  try {
    return await readUsage({ days }, { database });
  } finally {
    await database.close();
  }
}

const printLine = (line: string) => process.stdout.write(`${line}\n`);

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
