import { relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findWrongCounters } from '../../../src/modules/sponsorship/campaigns/find-wrong-counters.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { serverUrl, testDatabase } from '../../support/database.ts';
import { run, temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { rounds as kills } from '../../support/rounds.ts';

const script = relative(
  '.',
  fileURLToPath(new URL('../../support/redeeming-process.ts', import.meta.url)),
);

/**
 * Kills a process up to 50 ms after it acknowledged this many redemptions; returns those that it
 * acknowledged. Not after some time: a slow machine has few of them by then.
 */
async function redeemUntilKilled(args: string[], redemptions: number): Promise<string[]> {
  const running = run(script, {}, args);
  const redeemed = new Promise<void>((resolve, reject) => {
    running.child.stdout.on('data', () => {
      if (running.stdout().split('\n').length > redemptions) resolve();
    });
    running.ended.then(() => reject(new Error(running.stderr())), reject);
  });
  await redeemed;
  await wait(Math.random() * 50);
  running.child.kill('SIGKILL');
  await running.ended;
  return running.stdout().split('\n').slice(0, -1);
}

describe('a process that is killed during redemptions', () => {
  it(`A process that is killed during redemptions loses no acknowledged one and leaves no incomplete workspace and no wrong counter, in ${kills} rounds`, {
    timeout: 60_000 + kills * 10_000,
  }, async () => {
    const directory = temporaryDirectory();
    const sharedDatabase = serverUrl === undefined ? undefined : await testDatabase();
    const acknowledged: string[] = [];
    for (let round = 0; round < kills; round += 1) {
      acknowledged.push(
        ...(await redeemUntilKilled(
          [directory.path, ...(sharedDatabase?.url ? [sharedDatabase.url] : [])],
          2 + Math.floor(Math.random() * 30),
        )),
      );
    }
    const database =
      sharedDatabase ?? (await openDatabase({ dataDir: directory.path, log: quietLog }));
    try {
      const stored = await database.sql<{
        line: string;
      }>`select id || ' ' || sponsored_organization_id as line from redemptions`;
      const lines = new Set(stored.map(({ line }) => line));
      expect(acknowledged.length).toBeGreaterThan(kills);
      expect(acknowledged.filter((line) => !lines.has(line))).toEqual([]);
      const incomplete = await database.sql`
        select o.id from organizations o where o.name = 'Workspace' and (o.sponsored_until is null
          or not exists (select from redemptions r where r.sponsored_organization_id = o.id)
          or not exists (select from memberships m join team_memberships tm using (organization_id, user_id) join teams t on t.id = tm.team_id and t.is_default
                         where m.organization_id = o.id and m.role = 'ADMIN'))`;
      expect(incomplete).toEqual([]);
      expect(
        await database.sql`select id from redemptions where id not in (select target_id from audit_entries)`,
      ).toEqual([]);
      expect(await findWrongCounters({ database })).toEqual([]);
    } finally {
      await database.close();
      directory.remove();
    }
  });
});
