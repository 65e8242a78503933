import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AuditEntry, auditEntryColumns } from '../../../src/modules/audit/audit-entry.ts';
import { recordChange } from '../../../src/modules/audit/record-change.ts';
import {
  addSubtree,
  type HashedSubtree,
  rootOf,
} from '../../../src/modules/audit/sealing/merkle-tree.ts';
import { sealAll } from '../../../src/modules/audit/sealing/schedule-sealing.ts';
import { sealEntries } from '../../../src/modules/audit/sealing/seal-entries.ts';
import { hashEntry } from '../../../src/modules/audit/sealing/sealed-entry.ts';
import { systemActor } from '../../../src/modules/audit/system-actor.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { databases } from '../../support/databases.ts';
import { rounds } from '../../support/rounds.ts';
import { rowsIn } from '../../support/rows.ts';
import { createSealKeys, sealNow } from '../../support/sealing.ts';
import { settleEvents } from '../../support/settle-events.ts';

const clock = () => new Date();
const log = { warn: () => undefined };

class Killed extends Error {}

describe.each(databases)('The sealer on the $kind database', ({ open }) => {
  let database: Database;
  let organizationId: string;
  beforeAll(async () => {
    database = await open({ poolSize: 10 });
  });
  afterAll(() => database.close());
  const newOrganization = async () => {
    organizationId = (await rowsIn(database).organization()).id;
  };
  beforeEach(newOrganization);

  const write = (count: number) =>
    database.transact((tx) => {
      for (let number = 0; number < count; number += 1)
        recordChange(tx, systemActor(organizationId), clock(), {
          ...{ action: 'rename-team', targetType: 'Team', targetId: 'team' },
          changes: { name: `Name ${number}` },
        });
    });

  /** Every entry has one leaf in the order of the feed, and the checkpoints are those of the leaves. */
  async function requireWholeTree(): Promise<number> {
    const rows = await database.sql<AuditEntry & { position: number; hash: string }>`
      select l.position::float8 as position, encode(l.hash, 'hex') as hash, ${auditEntryColumns}
      from audit_entries e left join audit_leaves l on l.entry_id = e.id
      where e.organization_id = ${organizationId} order by e.tx_id, e.position`;
    const stack: HashedSubtree[] = [];
    const roots = new Map<number, string>();
    for (const [index, { position, hash, ...entry }] of rows.entries()) {
      expect(position).toBe(index);
      const own = hashEntry(index, entry);
      expect(hash).toBe(own.toString('hex'));
      addSubtree(stack, { level: 0, index, hash: own });
      roots.set(index + 1, rootOf(stack).toString('hex'));
    }
    const checkpoints = await database.sql<{ size: number; root: string; before: string | null }>`
      select size::float8 as size, root_hash as root, previous_root_hash as before from audit_checkpoints
      where organization_id = ${organizationId} order by size`;
    let before: string | null = null;
    for (const checkpoint of checkpoints) {
      expect(checkpoint).toEqual({
        ...{ size: checkpoint.size, root: roots.get(checkpoint.size) },
        before,
      });
      before = checkpoint.root;
    }
    expect(checkpoints.at(-1)?.size).toBe(rows.length);
    return rows.length;
  }

  it.each(Array.from({ length: rounds }, (_, round) => round))(
    'Several sealers at once, beside writers, make one tree (round %i)',
    async () => {
      const signingKeys = createSealKeys(database);
      let isWriting = true;
      const sealing = Array.from({ length: 4 }, async () => {
        while (isWriting) await sealAll({ database, clock, signingKeys, log });
      });
      await Promise.all(
        Array.from({ length: 3 }, async () => {
          for (let number = 0; number < 15; number += 1) await write(1 + (number % 40));
        }),
      );
      isWriting = false;
      await Promise.all(sealing);
      await sealNow(database);
      expect(await requireWholeTree()).toBe(360);
    },
  );

  it('A sealer that signs late adds no checkpoint beside those of a faster one', async () => {
    await write(3);
    await settleEvents(database);
    const keys = createSealKeys(database);
    let isLate = false;
    const signing = async () => {
      isLate = true;
      await write(2);
      await sealNow(database);
      return keys.signing();
    };
    while (await sealEntries(organizationId, { database, clock, signingKeys: { signing } }));
    expect(isLate).toBe(true);
    expect(await requireWholeTree()).toBe(5);
  });

  it('A sealer that ends before or after any of its statements leaves a tree that the next one goes on with', async () => {
    for (let survived = 0, ends = false; !ends; survived += 1) {
      await newOrganization();
      await write(5);
      await sealNow(database);
      await write(1_300);
      await settleEvents(database);
      for (const isAfter of [false, true]) {
        let left = survived;
        const dying = (isDone: boolean) => {
          if (isDone === isAfter && left-- === 0) throw new Killed();
        };
        const sql = async (...statement: Parameters<Database['sql']>) => {
          dying(false);
          const rows = await database.sql(...statement);
          dying(true);
          return rows;
        };
        const mortal: Database = { ...database, sql: sql as Database['sql'] };
        const unscoped: Database = { ...mortal, unscoped: mortal };
        const dependencies = { database: unscoped, clock, signingKeys: createSealKeys(database) };
        let wasKilled = false;
        const killLog = {
          warn: () => {
            wasKilled = true;
          },
        };
        await sealAll({ ...dependencies, log: killLog }).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
          wasKilled = true;
        });
        ends = !wasKilled;
      }
      await sealNow(database);
      expect(await requireWholeTree()).toBe(1_305);
      expect(survived).toBeLessThan(40);
    }
  });

  it('Entries of before the event feed come first, and a restored log is not sealed twice', async () => {
    await write(3);
    const run = (text: string) => database.prisma.$executeRawUnsafe(text);
    await run('alter table audit_entries disable trigger user');
    await run(`update audit_entries set tx_id = null where organization_id = '${organizationId}'`);
    await run('alter table audit_entries enable trigger user');
    await write(3);
    await sealNow(database);
    const leaves = () => database.sql<{ position: number; isOld: boolean }>`
      select l.position::float8 as position, e.tx_id is null as "isOld" from audit_leaves l join audit_entries e on e.id = l.entry_id
      where l.organization_id = ${organizationId} order by l.position`;
    const before = await leaves();
    expect(before.map(({ isOld }) => isOld)).toEqual([true, true, true, false, false, false]);
    await run('alter table audit_entries disable trigger user');
    await run('select after_restore()');
    await run('alter table audit_entries enable trigger user');
    await write(2);
    await sealNow(database);
    expect(await leaves()).toHaveLength(8);
    const [tree] = await database.sql<{ size: number }>`
      select size::float8 as size from audit_trees where organization_id = ${organizationId}`;
    expect(tree?.size).toBe(8);
  });
});
