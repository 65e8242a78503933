import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyDocument, hasCopy } from './copy-document.ts';
import { lockVectors } from './lock-vectors.ts';
import type { PassageStoreOptions } from './passage-store.ts';

/** Lance's list of its tables. */
const lanceManifest = '__manifest';
const progressEveryMs = 5_000;

/**
 * Earlier versions stored the passages of a directory with Lance. This copies them to SQLite files,
 * in a directory inside of the first, and then puts those in place of Lance's. Whenever it is
 * interrupted, the next start goes on where it was.
 */
export async function convertLance(options: PassageStoreOptions): Promise<void> {
  const { location, log } = options;
  const target = join(location, 'converted');
  const isComplete = join(target, 'complete');
  const lanceDirectories = existsSync(location)
    ? readdirSync(location).filter((name) => name.endsWith('.lance') || name === lanceManifest)
    : [];
  if (lanceDirectories.length === 0 && !existsSync(isComplete)) return;
  if (!existsSync(isComplete)) {
    log.info(
      'converting the passages of an earlier version; the vector database starts after that',
    );
    // An earlier version that still runs writes into this directory, and holds this lock.
    const unlock = lockVectors(location);
    await copyAll(options, target).finally(unlock);
    writeFileSync(isComplete, '');
  }
  for (const name of lanceDirectories)
    rmSync(join(location, name), { recursive: true, force: true });
  for (const name of readdirSync(target))
    if (name !== 'complete') renameSync(join(target, name), join(location, name));
  rmSync(target, { recursive: true });
  for (const suffix of ['.lock', '.pid']) rmSync(`${target}${suffix}`, { force: true });
  log.info('converted the passages');
}

async function copyAll(options: PassageStoreOptions, target: string): Promise<void> {
  const { log } = options;
  const { openLanceStore } = await import('./lance/store.ts');
  const { openSqliteStore } = await import('./sqlite/open-store.ts');
  const source = await openLanceStore(options);
  const copy = await openSqliteStore({ ...options, location: target });
  try {
    const documents = [...source.collections.values()].flatMap((collection) => [
      ...collection.documents.values(),
    ]);
    let toldAt = performance.now();
    for (const [index, document] of documents.entries()) {
      if (!hasCopy(copy, document)) await copyDocument(source, copy, document);
      if (performance.now() - toldAt < progressEveryMs) continue;
      toldAt = performance.now();
      log.info({ documents: index + 1, of: documents.length }, 'converting the passages');
    }
  } finally {
    await copy.close();
    await source.close();
  }
}
