import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { processFiles } from '../../../src/modules/assistant-files/processing/process-files.ts';
import { createQuotas } from '../../../src/modules/quotas/quotas.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { readEnv } from '../../../src/platform/env.ts';
import { createLog } from '../../../src/platform/log.ts';
import { createDiskStorage } from '../../../src/platform/storage/disk.ts';
import { serverUrl, testDatabase } from '../../support/database.ts';
import { run, temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { roundsOf } from '../../support/rounds.ts';
import { vaultSecret } from '../../support/vault.ts';
import { type VaultParts, vaultParts } from '../../support/vault-parts.ts';

const kills = roundsOf(30);
const script = relative(
  '.',
  fileURLToPath(new URL('../../support/filing-process.ts', import.meta.url)),
);
const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);

/** Kills it some time after its first acknowledgement; returns what it was told. */
async function fileAndDie(args: string[], aliveMs: number): Promise<string[]> {
  const running = run(script, {}, args);
  const begun = new Promise<void>((resolve, reject) => {
    running.child.stdout.on('data', () => {
      if (running.stdout().includes('made')) resolve();
    });
    running.ended.then(() => reject(new Error(running.stderr())), reject);
  });
  await begun;
  await wait(aliveMs);
  running.child.kill('SIGKILL');
  await running.ended;
  return running.stdout().split('\n').slice(0, -1);
}

type Row = { id: string; assistantId: string; storageKey: string; status: string };

/** What the vault and the storage hold, and what the rows say that they should. */
async function everything(database: Database, vault: VaultParts, directory: string) {
  const rows =
    await database.sql<Row>`select id, assistant_id as "assistantId", storage_key as "storageKey", status from assistant_files order by id`;
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
    alone: true,
  }).list())
    stored.push(key);
  return {
    rows,
    documents: documents.toSorted(),
    stored: stored.toSorted(),
    parts: readdirSync(join(directory, 'files', 'incoming')),
  };
}

describe('a process that is killed in the midst of uploads, replacements and deletions', () => {
  it(`leaves rows, files and passages that agree after the next start, and loses nothing that it acknowledged, ${kills} times over (seed ${seed})`, {
    timeout: 300_000,
  }, async () => {
    const directory = temporaryDirectory();
    const vault = await vaultParts();
    const shared = serverUrl === undefined ? undefined : await testDatabase();
    const told: string[] = [];
    for (let round = 0; round < kills; round += 1) {
      const args = [
        directory.path,
        vault.url,
        vaultSecret,
        String(seed + round),
        ...(shared?.url ? [shared.url] : []),
      ];
      told.push(...(await fileAndDie(args, ((seed * (round + 7)) % 300) + 20)));
    }

    const database = shared ?? (await openDatabase({ dataDir: directory.path, log: quietLog }));
    // A killed process' claim would hold for some seconds; nobody is left who could use it.
    await database.sql`update assistant_files set lease_until = to_timestamp(0) where status = 'PROCESSING'`;
    await database.sql`update file_removals set lease_until = null, next_attempt_at = null`;
    // An object without a row is given an hour, for it may be on its way in; the test gives it
    // none.
    const storage = createDiskStorage({ directory: join(directory.path, 'files'), alone: true });
    const aged = {
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
      files: { storage: aged, vault: vault.client, quotas },
      clock: systemClock,
      log,
    });
    try {
      const made = new Set(
        told.flatMap((line) => (line.startsWith('made ') ? [line.slice(5)] : [])),
      );
      const gone = new Set(
        told.flatMap((line) => (line.startsWith('gone ') ? [line.slice(5)] : [])),
      );
      expect(made.size).toBeGreaterThan(kills);
      const agreed = async () => {
        const { rows, documents, stored, parts } = await everything(
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
      const whole = {
        unfinished: 0,
        removals: 0,
        documentsWithoutRow: [],
        rowsWithoutDocument: [],
        filesWithoutRow: [],
        rowsWithoutFile: [],
        parts: [],
      };
      await expect.poll(agreed, { timeout: 60_000, interval: 500 }).toEqual(whole);
      const ids = new Set(
        (await database.sql<{ id: string }>`select id from assistant_files`).map(({ id }) => id),
      );
      // What was replaced or deleted in the moment of a kill was acknowledged to nobody.
      expect([...gone].filter((id) => ids.has(id))).toEqual([]);
      expect([...made].filter((id) => !gone.has(id) && !ids.has(id)).length).toBeLessThanOrEqual(
        3 * kills,
      );
    } finally {
      await processing.stop();
      await database.close();
      await vault.close();
      directory.remove();
    }
  });
});
