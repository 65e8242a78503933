import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createEmbeddedServer } from '../../src/platform/database/embedded.ts';
import { bringUpToDate } from '../../src/platform/database/migrations.ts';
import { openPgliteInMemory } from '../../src/platform/database/pglite.ts';
import { migrationsHash } from './migrations-hash.ts';
import { temporaryDirectory } from './process.ts';
import { quietLog } from './quiet-log.ts';

const blockBytes = 512;

let template: Promise<Blob> | undefined;

/**
 * A dump of a migrated database, cached between runs: restoring it takes 0.4 s, creating it 3 s.
 */
export function embeddedTemplate(): Promise<Blob> {
  template ??= readTemplate();
  return template;
}

/** A data directory with a migrated database, for tests that are not about the first start. */
export async function migratedDirectory(): Promise<ReturnType<typeof temporaryDirectory>> {
  const directory = temporaryDirectory();
  const database = join(directory.path, 'database');
  await mkdir(database);
  await promisify(execFile)('tar', ['-xf', await templateFile(), '-C', database]);
  return directory;
}

async function readTemplate(): Promise<Blob> {
  // Read into memory: a file-backed blob becomes unreadable when another worker replaces the file.
  return new Blob([await readFile(await templateFile())], { type: 'application/x-tar' });
}

async function templateFile(): Promise<string> {
  const manifest: { dependencies: Record<string, string> } = JSON.parse(
    await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const version = manifest.dependencies['@electric-sql/pglite'];
  const path = join(tmpdir(), `atrium-test-${version}-${await migrationsHash()}.tar`);
  if (!existsSync(path)) {
    // Several workers may do this at the same time: each file is complete, and the last one
    // remains.
    const unfinished = `${path}.${randomUUID()}`;
    await writeFile(unfinished, (await dumpMigratedDatabase()).stream());
    await rename(unfinished, path);
  }
  return path;
}

async function dumpMigratedDatabase(): Promise<Blob> {
  const pglite = await openPgliteInMemory();
  const server = createEmbeddedServer(pglite);
  await bringUpToDate(server, quietLog);
  await pglite.exec('checkpoint');
  const dump = await pglite.dumpDataDir('none');
  await server.close();
  return withoutTemplates(await dump.arrayBuffer());
}

/** Without the files of template0 and template1, which nothing opens: a third of the archive. */
function withoutTemplates(dump: ArrayBuffer): Blob {
  const archive = Buffer.from(dump);
  const kept: Buffer<ArrayBuffer>[] = [];
  for (let header = 0; header < archive.length; ) {
    const name = archive.toString('latin1', header, header + 100);
    const bytes = Number.parseInt(archive.toString('latin1', header + 124, header + 136), 8) || 0;
    const next = header + blockBytes + Math.ceil(bytes / blockBytes) * blockBytes;
    if (!/^\/?base\/[14]\/./.test(name)) kept.push(archive.subarray(header, next));
    header = next;
  }
  return new Blob(kept, { type: 'application/x-tar' });
}
