import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordChange } from '../../../src/modules/audit/record-change.ts';
import { systemActor } from '../../../src/modules/audit/system-actor.ts';
import { readFeed } from '../../../src/modules/events/read-feed.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { databases } from '../../support/databases.ts';
import { mulberry32 } from '../../support/mulberry32.ts';
import { rounds } from '../../support/rounds.ts';
import { rowsIn } from '../../support/rows.ts';
import { settleEvents } from '../../support/settle-events.ts';

const writers = 8;
const transactionsPerWriter = 12;
const clock = () => new Date();

class RolledBack extends Error {}

describe.each(databases)('The feed on the $kind database', ({ kind, open }) => {
  let database: Database;
  /** Another database of the same server: its transactions neither hide nor delay events. */
  let neighbour: Database | undefined;
  let organizationId: string;

  beforeAll(async () => {
    database = await open({ poolSize: writers + 2 });
    if (kind === 'postgres') neighbour = await open({ poolSize: writers });
    organizationId = (await rowsIn(database).organization()).id;
  });
  afterAll(async () => {
    await neighbour?.close();
    await database.close();
  });

  async function end(): Promise<string> {
    let after: string | undefined;
    for (;;) {
      const request = { organizationId, after, limit: 1_000 };
      const { page } = await readFeed(request, { database, clock });
      after = page.next;
      if (!page.hasMore) return after;
    }
  }

  it.each(Array.from({ length: rounds }, (_, round) => round))(
    'A reader sees each event once and in order while transactions commit late, out of order, or not at all (round %i)',
    async () => {
      const seed = Math.floor(Math.random() * 2 ** 31);
      const random = mulberry32(seed);
      const committed = new Set<string>();
      let after = await end();
      const seen: string[] = [];
      let isWriting = true;
      let isFollowing = true;

      async function write(writer: number): Promise<void> {
        for (let number = 0; number < transactionsPerWriter; number += 1) {
          const entries = 1 + Math.floor(random() * 3);
          const [delay, fate] = [random() * 12, random()];
          const targets = Array.from(
            { length: entries },
            (_, entry) => `${seed}-${writer}-${number}-${entry}`,
          );
          try {
            await database.transact(async (tx) => {
              for (const targetId of targets)
                recordChange(tx, systemActor(organizationId), clock(), {
                  ...{ action: 'create-team', targetType: 'Team', targetId, changes: {} },
                });
              await tx.sql`select 1 as sent`;
              await pause(delay);
              if (fate < 0.2) throw new RolledBack();
            });
            for (const target of targets) committed.add(target);
          } catch (error) {
            if (!(error instanceof RolledBack)) throw error;
          }
        }
      }

      async function disturb(): Promise<void> {
        while (neighbour && isFollowing)
          await neighbour.transact(async (tx) => {
            await tx.sql`select pg_current_xact_id()::text as id`;
            await pause(random() * 10);
          });
      }

      async function readOnce(): Promise<boolean> {
        const request = { organizationId, after, limit: 5 };
        const { page } = await readFeed(request, { database, clock });
        after = page.next;
        seen.push(...page.events.map(({ data }) => data.resourceId));
        return page.hasMore || page.events.length > 0;
      }
      async function follow(): Promise<void> {
        while (isWriting) {
          await readOnce();
          await pause(random() * 3);
        }
        await settleEvents(database);
        while (await readOnce());
        isFollowing = false;
      }

      const reading = Promise.all([follow(), ...Array.from({ length: writers }, disturb)]);
      await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
      isWriting = false;
      await reading;

      const message = `seed ${seed}`;
      expect(committed.size, message).toBeGreaterThan(writers);
      expect(seen.length, `${message}: nothing is seen twice`).toBe(new Set(seen).size);
      expect(new Set(seen), `${message}: nothing is lost`).toEqual(committed);
      const ordered = await database.sql<{ id: string }>`
        select target_id as id from audit_entries where target_id like ${`${seed}-%`} order by tx_id, position`;
      expect(seen, `${message}: in order`).toEqual(ordered.map(({ id }) => id));
      for (let writer = 0; writer < writers; writer += 1) {
        const own = seen.filter((id) => id.startsWith(`${seed}-${writer}-`));
        const numbers = own.map((id) => id.split('-').slice(2).map(Number));
        expect(numbers, `${message}: as its writer committed`).toEqual(
          numbers.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d),
        );
      }
    },
  );
});
