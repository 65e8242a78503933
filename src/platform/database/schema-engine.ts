import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, type SqlDriverAdapter, type SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { Pool } from 'pg';

export type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';

/** Prisma's schema engine as WebAssembly; the `prisma migrate` command would download it as a binary. */
export async function loadSchemaEngine(factory: SqlMigrationAwareDriverAdapterFactory, datamodels?: [string, string][]): Promise<engine.SchemaEngine> {
  const path = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const { instance } = await WebAssembly.instantiate(await readFile(path.replace(/js$/, 'wasm')), { './schema_engine_bg.js': imports() });
  engine.__wbg_set_wasm(instance.exports);
  const { __wbindgen_start: start } = instance.exports;
  if (typeof start === 'function') start();
  return engine.SchemaEngine.new({ datamodels }, () => undefined, bindMigrationAwareSqlAdapterFactory(factory));
}

// Each lock it takes leaves a timer of ten seconds behind, which would keep the process alive.
function imports(): Record<string, WebAssembly.ImportValue> {
  const wait = (run: () => void, ms: number) => setTimeout(run, ms).unref();
  return Object.fromEntries(Object.entries(engine).map(([name, value]) => [name, name.startsWith('__wbg_setTimeout') ? wait : value]));
}

/** The adapter's own `executeScript` splits at every semicolon, also inside function bodies. */
export async function scriptableAdapter(pool: Pool): Promise<SqlDriverAdapter> {
  const adapter = await new PrismaPg(pool).connect();
  return Object.assign(adapter, {
    async executeScript(script: string) {
      await pool.query(script);
    },
  });
}
