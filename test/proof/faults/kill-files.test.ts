import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { processFiles } from '../../../src/modules/assistant-files/processing/process-files.ts';
import { createQuotas } from '../../../src/modules/quotas/quotas.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { readEnv } from '../../../src/platform/env.ts';
import { createLog } from '../../../src/platform/log.ts';
import { createDiskStorage } from '../../../src/platform/storage/disk.ts';
import { serverUrl, testDatabase } from '../../support/database.ts';
import { run, temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { rounds as kills } from '../../support/rounds.ts';
import { vaultSecret } from '../../support/vault.ts';
import { startVaultServers, type VaultServers } from '../../support/vault-servers.ts';

const script = relative(
  '.',
  fileURLToPath(new URL('../../support/filing-process.ts', import.meta.url)),
);
const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);

type Kill = { acknowledged: number; laterMs: number };

/**
 * Starts the process, kills it some time after it has acknowledged so many files, and returns the
 * lines that it printed. A count, because a slow machine acknowledges few in any time.
 */
async function runAndKill(args: string[], { acknowledged, laterMs }: Kill): Promise<string[]> {
  const running = run(script, {}, args);
  const enoughOutput = new Promise<void>((resolve, reject) => {
    running.child.stdout.on('data', () => {
      if (running.stdout().split('made ').length > acknowledged) resolve();
    });
    running.ended.then(() => reject(new Error(running.stderr())), reject);
  });
  await enoughOutput;
  await wait(laterMs);
  running.child.kill('SIGKILL');
  await running.ended;
  return running.stdout().split('\n').slice(0, -1);
}

type FileRow = { id: string; assistantId: string; storageKey: string; status: string };

/** Reads the rows and everything that the vault and the storage hold. */
async function readAllStores(database: Database, vault: VaultServers, directory: string) {
  const rows =
    await database.sql<FileRow>`select id, assistant_id as "assistantId", storage_key as "storageKey", status from assistant_files order by id`;
  const { collections } = await vault.client.collections({ limit: 100 });
  const documents: string[] = [];
  for (const { collection } of collections) {
    for (let after: string | undefined; ; ) {
      const page = await vault.client.documents({
        collection,
        ...(after === undefined ? {} : { after }),
      });
      documents.push(...page.documents.map(({ document }) => document));
      if (page.next === null) break;
      after = page.next;
    }
  }
  const stored: string[] = [];
  for await (const { key } of createDiskStorage({
    directory: join(directory, 'files'),
    isSoleUser: true,
  }).list())
    stored.push(key);
  return {
    rows,
    documents: documents.toSorted(),
    stored: stored.toSorted(),
    parts: readdirSync(join(directory, 'files', 'incoming')),
  };
}

describe('A process that is killed during uploads, replacements and deletions', () => {
  it(`After ${kills} kills, the next start makes rows, files and passages agree, and no acknowledged file is lost (seed ${seed})`, {
    timeout: 120_000 + kills * 10_000,
  }, async () => {
    const directory = temporaryDirectory();
    const vault = await startVaultServers();
    const sharedDatabase = serverUrl === undefined ? undefined : await testDatabase();
    const outputLines: string[] = [];
    for (let index = 0; index < kills; index += 1) {
      const args = [
        directory.path,
        vault.url,
        vaultSecret,
        String(seed + index),
        ...(sharedDatabase?.url ? [sharedDatabase.url] : []),
      ];
      const random = seed * (index + 7);
      const kill = { acknowledged: 2 + (random % 4), laterMs: random % 100 };
      outputLines.push(...(await runAndKill(args, kill)));
    }

    const database =
      sharedDatabase ?? (await openDatabase({ dataDir: directory.path, log: quietLog }));
    // The lease of a killed process would last for some seconds more; the test ends it at once.
    await database.sql`update assistant_files set lease_until = to_timestamp(0) where status = 'PROCESSING'`;
    await database.sql`update file_removals set lease_until = null, next_attempt_at = null`;
    // Objects without a row are removed only after an hour, because their upload may still be in
    // progress. The test makes all objects look old.
    const storage = createDiskStorage({
      directory: join(directory.path, 'files'),
      isSoleUser: true,
    });
    const agedStorage = {
      ...storage,
      async *list() {
        for await (const object of storage.list()) yield { ...object, modifiedAt: new Date(0) };
      },
    };
    const env = readEnv({ LOG_LEVEL: 'silent' });
    const log = createLog(env);
    const quotas = createQuotas({ env, database, log });
    const processing = processFiles({
      database,
      files: { storage: agedStorage, vault: vault.client, quotas },
      clock: systemClock,
      log,
    });
    try {
      const createdIds = new Set(
        outputLines.flatMap((line) => (line.startsWith('made ') ? [line.slice(5)] : [])),
      );
      const removedIds = new Set(
        outputLines.flatMap((line) => (line.startsWith('gone ') ? [line.slice(5)] : [])),
      );
      expect(createdIds.size).toBeGreaterThan(kills);
      const compareStores = async () => {
        const { rows, documents, stored, parts } = await readAllStores(
          database,
          vault,
          directory.path,
        );
        return {
          unfinished: rows.filter(({ status }) => status !== 'COMPLETED').length,
          removals: (await database.sql`select id from file_removals`).length,
          documentsWithoutRow: documents.filter(
            (document) => !rows.some(({ id }) => id === document),
          ),
          rowsWithoutDocument: rows.filter(({ id }) => !documents.includes(id)).map(({ id }) => id),
          filesWithoutRow: stored.filter(
            (key) => !rows.some(({ storageKey }) => storageKey === key),
          ),
          rowsWithoutFile: rows
            .filter(({ storageKey }) => !stored.includes(storageKey))
            .map(({ id }) => id),
          parts,
        };
      };
      const consistentState = {
        unfinished: 0,
        removals: 0,
        documentsWithoutRow: [],
        rowsWithoutDocument: [],
        filesWithoutRow: [],
        rowsWithoutFile: [],
        parts: [],
      };
      await expect.poll(compareStores, { timeout: 60_000, interval: 500 }).toEqual(consistentState);
      const ids = new Set(
        (await database.sql<{ id: string }>`select id from assistant_files`).map(({ id }) => id),
      );
      // A replacement or deletion during a kill was not acknowledged.
      expect([...removedIds].filter((id) => ids.has(id))).toEqual([]);
      expect(
        [...createdIds].filter((id) => !removedIds.has(id) && !ids.has(id)).length,
      ).toBeLessThanOrEqual(3 * kills);
    } finally {
      await processing.stop();
      await database.close();
      await vault.close();
      directory.remove();
    }
  });
});
