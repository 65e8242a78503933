import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/platform/database/database.ts';
import { uniqueViolation } from '../../../src/platform/database/faults.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import {
  canCreateRoles,
  createRestrictedDatabase,
  type RestrictedDatabase,
} from '../../proof/isolation/restricted-database.ts';
import { serverUrl } from '../../support/database.ts';
import { databases } from '../../support/databases.ts';
import { rowsIn } from '../../support/rows.ts';

const teamNames = async ({ sql }: Pick<Database, 'sql'>, organizationId: string) =>
  (
    await sql<{ name: string }>`
      select name from teams where organization_id = ${organizationId} order by name`
  ).map(({ name }) => name);

const addTeam = (database: Database, organizationId: string, name: string) =>
  inTransaction(database, (tx) => {
    tx.enqueue`
      insert into teams (id, organization_id, name, name_key, is_default, created_at)
      values (gen_random_uuid(), ${organizationId}, ${name}, ${name}, false, now())`;
  });

describe.each(databases)('a rehearsal on $kind', ({ open }) => {
  let database: Database;
  let organizationId: string;
  beforeAll(async () => {
    database = await open();
    organizationId = (await rowsIn(database).organization()).id;
  });
  afterAll(() => database.close());

  const isIdle = () => {
    const { open: opened, idle, waiting } = database.connections();
    return opened === idle && waiting === 0;
  };

  it('Work sees its changes in every way of reading, and they are gone afterwards', async () => {
    const seen = await database.rehearse(async (rehearsed) => {
      const before = await teamNames(rehearsed, organizationId);
      await addTeam(rehearsed, organizationId, 'rehearsed');
      return {
        before,
        bySql: await teamNames(rehearsed, organizationId),
        bySearch: await teamNames({ sql: rehearsed.searchSql }, organizationId),
        unscoped: await teamNames(rehearsed.unscoped, organizationId),
        inTransaction: await inTransaction(rehearsed, (tx) => teamNames(tx, organizationId)),
      };
    });
    const after = ['Everyone', 'rehearsed'];
    expect(seen).toEqual({
      before: ['Everyone'],
      bySql: after,
      bySearch: after,
      unscoped: after,
      inTransaction: after,
    });
    expect(await teamNames(database, organizationId)).toEqual(['Everyone']);
    expect(isIdle()).toBe(true);
  });

  it('A transaction that fails is undone, and the work can go on', async () => {
    const names = await database.rehearse(async (rehearsed) => {
      await addTeam(rehearsed, organizationId, 'first');
      const faults = [
        addTeam(rehearsed, organizationId, 'first'),
        inTransaction(rehearsed, async (tx) => {
          await tx.sql`update teams set name = 'lost' where organization_id = ${organizationId}`;
          throw new Error('refused');
        }),
      ];
      const [violation, refusal] = await Promise.allSettled(faults);
      expect(violation?.status === 'rejected' && uniqueViolation(violation.reason)).toBeTruthy();
      expect(refusal?.status).toBe('rejected');
      await addTeam(rehearsed, organizationId, 'second');
      return teamNames(rehearsed, organizationId);
    });
    expect(names).toEqual(['Everyone', 'first', 'second']);
    expect(await teamNames(database, organizationId)).toEqual(['Everyone']);
  });

  it('A single statement that fails as a transaction does not end the rehearsal', async () => {
    const names = await database.rehearse(async (rehearsed) => {
      await addTeam(rehearsed, organizationId, 'first');
      const failed = inTransaction(rehearsed, (tx) => tx.commitWith`select 1 / 0`);
      await expect(failed).rejects.toThrow();
      return teamNames(rehearsed, organizationId);
    });
    expect(names).toEqual(['Everyone', 'first']);
  });

  it('Work that fails changes nothing and releases its connection', async () => {
    for (let attempt = 0; attempt < 6; attempt += 1)
      await expect(
        database.rehearse(async (rehearsed) => {
          await addTeam(rehearsed, organizationId, 'lost');
          await rehearsed.sql`select 1 / 0`;
        }),
      ).rejects.toThrow(/division/);
    expect(await teamNames(database, organizationId)).toEqual(['Everyone']);
    expect(isIdle()).toBe(true);
  });

  it('After the end the rehearsed database refuses everything', async () => {
    let kept: Database | undefined;
    await database.rehearse(async (rehearsed) => {
      kept = rehearsed;
      await addTeam(rehearsed, organizationId, 'rehearsed');
    });
    const late = kept ?? database;
    const ended = 'The dry run has ended';
    await expect(late.sql`select 1`).rejects.toThrow(ended);
    await expect(late.unscoped.sql`select 1`).rejects.toThrow(ended);
    await expect(addTeam(late, organizationId, 'late')).rejects.toThrow(ended);
    expect(await teamNames(database, organizationId)).toEqual(['Everyone']);
  });

  it('Prisma is refused, because it would use a connection of its own', async () => {
    const read = database.rehearse((rehearsed) => rehearsed.prisma.team.findMany());
    await expect(read).rejects.toThrow('Prisma cannot be used in a dry run');
  });
});

const canMakeRoles = serverUrl !== undefined && (await canCreateRoles(serverUrl));
if (!canMakeRoles)
  process.stderr.write(
    'Skipped: rehearsals with row-level security, because TEST_DATABASE_URL is not set or its user may not create roles.\n',
  );

describe.skipIf(!canMakeRoles)('a rehearsal with row-level security', () => {
  let restricted: RestrictedDatabase;
  let database: Database;
  beforeAll(async () => {
    restricted = await createRestrictedDatabase(serverUrl);
    database = await restricted.open();
  });
  afterAll(async () => {
    await database.close();
    await restricted.drop();
  });

  it('Every statement runs in its scope, also after one without a scope', async () => {
    const rows = rowsIn(database);
    const [own, other] = [await rows.organization(), await rows.organization()];
    const scoped = database.within({ organizationId: own.id, personId: '' });
    const allTeams = ({ sql }: Pick<Database, 'sql'>) =>
      sql<{ organizationId: string }>`
        select distinct organization_id as "organizationId" from teams where organization_id = any(${[own.id, other.id]})`;
    const counts = await scoped.rehearse(async (rehearsed) => {
      const before = (await allTeams(rehearsed)).length;
      await addTeam(rehearsed, own.id, 'rehearsed');
      const [scopedFirst, unscoped, scopedAgain] = await Promise.all([
        allTeams(rehearsed),
        allTeams(rehearsed.unscoped),
        allTeams(rehearsed),
      ]);
      const foreign = await Promise.allSettled([addTeam(rehearsed, other.id, 'foreign')]);
      return {
        before,
        scoped: [scopedFirst.length, scopedAgain.length],
        unscoped: unscoped.length,
        foreign: foreign[0]?.status,
        last: (await allTeams(rehearsed)).length,
      };
    });
    expect(counts).toEqual({
      before: 1,
      scoped: [1, 1],
      unscoped: 2,
      foreign: 'rejected',
      last: 1,
    });
    expect((await allTeams(database)).length).toBe(2);
  });
});
