import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { ClientBase } from 'pg';
import { engineAdapter } from './engine-adapter.ts';
import type { Migration } from './migration.ts';

/** No tables are excluded. */
export const noFilters = { externalTables: [], externalEnums: [] };

let started: Promise<void> | undefined;

/** Prisma's schema engine as WebAssembly. `prisma migrate` would download a binary. */
export async function schemaEngineOn(
  connection: ClientBase,
  scriptFailed: (fault: unknown) => void = () => {},
): Promise<engine.SchemaEngine> {
  started ??= start();
  await started;
  return engine.SchemaEngine.new(
    { datamodels: undefined },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(engineAdapter(connection, scriptFailed)),
  );
}

export function migrationList(migrations: Migration[]): engine.MigrationList {
  return {
    baseDir: 'prisma/migrations',
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"' },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, script }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: script } },
    })),
  };
}

async function start(): Promise<void> {
  const path = createRequire(import.meta.url).resolve(
    '@prisma/schema-engine-wasm/schema_engine_bg',
  );
  const wasm = await readFile(path.replace(/js$/, 'wasm'));
  // Each lock that the engine takes leaves a timer of ten seconds, which would keep the process
  // alive.
  const wait = (run: () => void, ms: number) => setTimeout(run, ms).unref();
  const imports = Object.fromEntries(
    Object.entries(engine).map(([name, value]) => [
      name,
      name.startsWith('__wbg_setTimeout') ? wait : value,
    ]),
  );
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': imports });
  engine.__wbg_set_wasm(instance.exports);
  const { __wbindgen_start: initialise } = instance.exports;
  if (typeof initialise === 'function') initialise();
}
