import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openPglite, serverOn } from '../../src/platform/database/embedded.ts';
import { bringUpToDate } from '../../src/platform/database/migrations.ts';
import { migrationsHash } from './migrations-hash.ts';
import { temporaryDirectory } from './process.ts';
import { quietLog } from './quiet-log.ts';

let template: Promise<Blob> | undefined;

/**
 * A migrated database as PGlite dumps it, kept between runs: restoring it takes 0.4 s, making it 3
 * s.
 */
export function embeddedTemplate(): Promise<Blob> {
  template ??= readTemplate();
  return template;
}

/**
 * A directory with a migrated database on the disk, where a program's first start is not what is
 * tried.
 */
export async function migratedDirectory(): Promise<ReturnType<typeof temporaryDirectory>> {
  const directory = temporaryDirectory();
  const database = join(directory.path, 'database');
  await mkdir(database);
  await promisify(execFile)('tar', ['-xf', await templateFile(), '-C', database]);
  return directory;
}

async function readTemplate(): Promise<Blob> {
  // Read whole: a blob over the file can not be read any more once another worker has put its own
  // in the place.
  return new Blob([await readFile(await templateFile())], { type: 'application/x-tar' });
}

async function templateFile(): Promise<string> {
  const manifest: { dependencies: Record<string, string> } = JSON.parse(
    await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const version = manifest.dependencies['@electric-sql/pglite'];
  const path = join(tmpdir(), `atrium-test-${version}-${await migrationsHash()}.tar`);
  if (!existsSync(path)) {
    // Several workers may do this at once: each one's file is whole, and the last stays.
    const unfinished = `${path}.${randomUUID()}`;
    await writeFile(unfinished, (await dumpOfMigrated()).stream());
    await rename(unfinished, path);
  }
  return path;
}

async function dumpOfMigrated(): Promise<Blob> {
  const pglite = await openPglite('memory://');
  const server = serverOn(pglite);
  await bringUpToDate(server, quietLog);
  await pglite.exec('checkpoint');
  const dump = await pglite.dumpDataDir('none');
  await server.close();
  return dump;
}
