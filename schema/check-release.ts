import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildSchema, findDangerousChanges } from 'graphql';
import { deprecatedParts } from '../src/graph/usage/coordinates.ts';
import { type CoordinateUsers, documentsUsing } from '../src/graph/usage/documents-using.ts';
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
 * with another release, and `-- --release` makes the schema the last release. `-- --deprecated`
 * lists who uses what is deprecated, and `-- --coordinate <name>` who uses one coordinate.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      usage: { type: 'string' },
      export: { type: 'string' },
      release: { type: 'boolean' },
      against: { type: 'string' },
      deprecated: { type: 'boolean' },
      coordinate: { type: 'string', multiple: true },
    },
  });
  if (values.release) copyFileSync(current, released);
  else if (values.export !== undefined)
    writeFileSync(values.export, `${JSON.stringify(toFile(await storedUsage()))}\n`);
  else if (values.deprecated) await printUses(deprecatedCoordinates(), values.usage);
  else if (values.coordinate) await printUses(values.coordinate, values.usage);
  else await check(values.against ?? released, values.usage);
}

async function check(release: string | URL, file: string | undefined): Promise<void> {
  const before = readSchema(release);
  const after = readSchema(current);
  for (const { description } of findDangerousChanges(before, after))
    printLine(`note: ${description}`);
  const hasBreakingChange = compareRelease(before, after, new Map()).length > 0;
  const usage = hasBreakingChange ? await usageFrom(file) : noUsage;
  const changes = compareRelease(before, after, usage.coordinates);
  for (const { description, used, isRefused } of changes) {
    printLine(
      isRefused
        ? `refused: ${description} ${used.map(([name]) => sentenceOn(name, usage)).join(' ')}`.trim()
        : `unused: ${description}`,
    );
    for (const [name] of used) printUsers(documentsUsing(name, usage));
  }
  if (changes.length === 0) printLine('Nothing of the last release is removed or changed.');
  if (changes.some(({ isRefused }) => isRefused)) process.exitCode = 1;
}

/** Prints how often each coordinate was used, and by which documents. */
async function printUses(coordinates: readonly string[], file: string | undefined): Promise<void> {
  if (coordinates.length === 0) {
    printLine('Nothing of the schema is deprecated.');
    return;
  }
  const usage = await usageFrom(file);
  for (const coordinate of coordinates) {
    printLine(sentenceOn(coordinate, usage));
    printUsers(documentsUsing(coordinate, usage));
  }
}

const sentenceOn = (coordinate: string, { coordinates }: Usage): string =>
  `${coordinate} was used ${coordinates.get(coordinate) ?? 0} times in ${days} days.`;

function printUsers({ documents, otherUses }: CoordinateUsers): void {
  for (const { id, operations, uses } of documents)
    printLine(`  ${uses} times by the document sha256:${id} (${operations.join(', ')})`);
  if (otherUses > 0) printLine(`  ${otherUses} times by other documents`);
}

const deprecatedCoordinates = () =>
  deprecatedParts(readSchema(current)).map(({ coordinate }) => coordinate);

const readSchema = (file: string | URL) => buildSchema(readFileSync(file, 'utf8'));

const noUsage: Usage = { coordinates: new Map(), documents: [] };

const toFile = ({ coordinates, documents }: Usage) => ({
  coordinates: Object.fromEntries(coordinates),
  documents,
});

function usageFrom(file: string | undefined): Promise<Usage> | Usage {
  if (file === undefined) return storedUsage();
  const { coordinates, documents } = JSON.parse(readFileSync(file, 'utf8'));
  return { coordinates: new Map(Object.entries(coordinates)), documents };
}

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
