import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  bringUpToDate,
  migrationsDirectory,
  readMigrations,
} from '../src/platform/database/migrations.ts';
import { openServer } from '../src/platform/database/open-database.ts';
import { prepareProgram } from '../src/platform/prepare-program.ts';
import { schemaDiff } from './schema-diff.ts';

/**
 * `npm run migrate` applies missing migrations. `-- --new <name>` writes a migration for the
 * difference between migrations and models. `-- --check` fails if there is a difference.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { new: { type: 'string' }, check: { type: 'boolean' } },
  });
  if (values.check) await check();
  else if (values.new !== undefined) await writeMigration(values.new);
  else await migrate();
}

async function migrate(): Promise<void> {
  const { DATABASE_URL, DATA_DIR } = prepareProgram();
  const log = {
    info: () => {},
    warn: (fields: object, message: string) => printLine(`${message}: ${JSON.stringify(fields)}`),
  };
  const server = await openServer({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR, log });
  try {
    const applied = await bringUpToDate(server, log);
    printLine(
      applied.length === 0
        ? 'Nothing to apply: the database is up to date.'
        : `Applied ${applied.join(', ')}.`,
    );
  } finally {
    await server.close();
  }
}

async function writeMigration(name: string): Promise<void> {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw new Error('The name of a migration has lower case letters, digits and underscores.');
  const script = await schemaDiff(await readMigrations());
  const directory = `${migrationsDirectory}${new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)}_${name}`;
  await mkdir(directory);
  await writeFile(
    `${directory}/migration.sql`,
    script || '-- Migrations and models agree. Write here what the models cannot express.\n',
  );
  printLine(`Wrote ${directory}/migration.sql`);
}

async function check(): Promise<void> {
  const script = await schemaDiff(await readMigrations());
  if (script === '') return;
  printLine(
    `The migrations do not produce the models. Missing SQL (npm run migrate -- --new <name> writes it):\n\n${script}`,
  );
  process.exitCode = 1;
}

function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
