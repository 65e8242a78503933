import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extendRedemptions } from '../../../src/modules/sponsorship/extend-redemptions.ts';
import { createUser } from '../../../src/modules/users/create-user.ts';
import { type Database, unscopedDatabase } from '../../../src/platform/database/database.ts';
import { withoutTenantScope } from '../../../src/platform/database/scoped-prisma.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import {
  canCreateRoles,
  createRestrictedDatabase,
  type RestrictedDatabase,
} from '../../proof/isolation/restricted-database.ts';
import { serverUrl, testDatabase } from '../../support/database.ts';
import { rowsIn } from '../../support/rows.ts';
import { watchStatements } from '../../support/statements.ts';

it('every table has row-level security that its owner is not excepted from, and a policy', async () => {
  const database = await testDatabase();
  const open = await database.sql`
    select c.relname::text as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname <> '_prisma_migrations'
      and not (c.relrowsecurity and c.relforcerowsecurity and exists (select from pg_policy p where p.polrelid = c.oid))`;
  expect(open).toEqual([]);
  await database.close();
});

// The embedded database has one role, and it is a superuser.
const canMakeRoles = serverUrl !== undefined && (await canCreateRoles(serverUrl));
if (!canMakeRoles)
  process.stderr.write(
    'Left out: row-level security for a role of its own, for TEST_DATABASE_URL names no user who may make one.\n',
  );

describe.skipIf(!canMakeRoles)('a role that owns the tables and has no privilege', () => {
  let walled: RestrictedDatabase;
  let whole: Database;
  const organizations: { id: string; userId: string; teamId: string; seen: Database }[] = [];

  beforeAll(async () => {
    walled = await createRestrictedDatabase(serverUrl);
    whole = await walled.open();
    const rows = rowsIn(whole);
    for (let made = 0; made < 3; made += 1) {
      const { id } = await rows.organization();
      const userId = await rows.member(id);
      const teamId = await rows.team(id, 'Sales');
      organizations.push({
        id,
        userId,
        teamId,
        seen: whole.within({ organizationId: id, personId: '' }),
      });
    }
  });
  afterAll(async () => {
    await whole.close();
    await walled.drop();
  });

  it('sees nothing where it does not say for whom it asks', async () => {
    expect(
      await walled.query(
        'select from organizations union all select from users union all select from counter_deltas',
      ),
    ).toEqual([]);
  });

  it('sees the rows of the organization that it asks for, whatever it forgets, and all of them where it asks for all', async () => {
    for (const { id, userId, seen } of organizations) {
      expect(await seen.sql`select id from organizations`).toEqual([{ id }]);
      expect(await seen.sql`select id from users`).toEqual([{ id: userId }]);
      expect(await seen.sql`select distinct organization_id as id from counter_deltas`).toEqual([
        { id },
      ]);
      expect(await seen.sql`select "organizationId" as id from members`).toEqual([{ id }]);
      expect(
        await seen.prisma.team.findMany({
          select: { organizationId: true },
          distinct: 'organizationId',
        }),
      ).toEqual([{ organizationId: id }]);
      expect(
        await unscopedDatabase(seen).sql`select count(*)::int as count from organizations`,
      ).toEqual([{ count: 3 }]);
    }
  });

  it('a person sees their organizations and themselves, and no other member of those', async () => {
    const [one, two] = organizations;
    const person = whole.within({ organizationId: '', personId: one?.userId ?? '' });
    expect(await person.sql`select id from organizations`).toEqual([{ id: one?.id }]);
    expect(await person.sql`select id from users`).toEqual([{ id: one?.userId }]);
    expect(await person.sql`select from teams`).toEqual([]);
    expect(await person.prisma.user.findUnique({ where: { id: two?.userId ?? '' } })).toBeNull();
  });

  it('many organizations at the same moment on few connections are never shown each other’s rows', async () => {
    const asked = Array.from(
      { length: 60 },
      (_, index) => organizations[index % organizations.length],
    ).flatMap((one) => (one ? [one] : []));
    const answers = await Promise.all(
      asked.flatMap(({ id, teamId, seen }) => [
        // Prisma gathers look-ups of one moment into one statement.
        seen.prisma.team
          .findUnique({ where: { id: teamId }, select: { organizationId: true } })
          .then((team) => [id, team?.organizationId]),
        seen.sql<{ found: string }>`select string_agg(id, ' ') as found from organizations`.then(
          ([row]) => [id, row?.found],
        ),
        inTransaction(seen, async (tx) =>
          (await tx.organization.findMany({ select: { id: true } })).map((row) => row.id).join(' '),
        ).then((found) => [id, found]),
        whole.sql<{ found: number }>`select count(*)::int as found from organizations`.then(
          ([row]) => [3, row?.found],
        ),
      ]),
    );
    expect(answers).toHaveLength(240);
    for (const [expected, found] of answers) expect(found).toBe(expected);
  });

  it('changes nothing foreign, and adds nothing in a foreign name', async () => {
    const [one, two] = organizations;
    if (!one || !two) throw new Error('no organizations');
    expect(
      await one.seen.prisma.team.updateMany({ data: { name: 'Taken' }, where: { id: two.teamId } }),
    ).toEqual({ count: 0 });
    expect(await one.seen.prisma.team.deleteMany({ where: { organizationId: two.id } })).toEqual({
      count: 0,
    });
    expect(
      await one.seen.prisma.organization.updateMany({
        data: { name: 'Taken' },
        where: { id: two.id },
      }),
    ).toEqual({ count: 0 });
    await expect(rowsIn(one.seen).team(two.id)).rejects.toThrow(/row-level security/);
    await expect(
      one.seen.prisma.user.create({ data: { id: 'new', email: 'new@wall.example' } }),
    ).rejects.toThrow(/row-level security/);
  });

  it('looks beyond its organization for as long as a rule says so, also where that fails', async () => {
    const seenIn = (tx: Parameters<Parameters<typeof inTransaction>[1]>[0]) =>
      tx.organization.count();
    const [one] = organizations;
    if (!one) throw new Error('no organization');
    const counts = await inTransaction(one.seen, async (tx) => {
      const before = await seenIn(tx);
      const beyond = await withoutTenantScope(tx, () => seenIn(tx));
      await withoutTenantScope(tx, () => Promise.reject(new Error('refused'))).catch(
        () => undefined,
      );
      return [before, beyond, await seenIn(tx)];
    });
    expect(counts).toEqual([1, 3, 1]);
    expect(await one.seen.sql`select count(*)::int as count from organizations`).toEqual([
      { count: 1 },
    ]);
  });

  it('who extends a sponsorship moves the end of the workspace that it pays for, and reaches no more than before', async () => {
    const [partner, workspace, other] = organizations;
    if (!partner || !workspace || !other) throw new Error('no organizations');
    const end = new Date('2027-01-31T10:00:00Z');
    const own = { organizationId: partner.id, campaignId: 'campaign' };
    await whole.prisma.campaign.create({
      data: { id: 'campaign', organizationId: partner.id, name: 'Campaign', durationMonths: 1 },
    });
    await whole.prisma.link.create({
      data: { id: 'link', ...own, name: 'Link', token: 'a'.repeat(32) },
    });
    await whole.prisma.redemption.create({
      data: {
        ...{
          id: 'redemption',
          ...own,
          linkId: 'link',
          userId: workspace.userId,
          sponsoredOrganizationId: workspace.id,
          reservationId: 'reservation',
        },
        ...{ durationMonths: 1, redeemedAt: new Date('2026-12-31T10:00:00Z'), sponsoredUntil: end },
      },
    });
    const extend = (organizationId: string, seen: Database) => {
      const actor = {
        organizationId,
        kind: 'SYSTEM' as const,
        keyId: null,
        userId: null,
        requestId: null,
      };
      const writer = { database: seen, clock: () => end, actor, credentialsChanged: () => {} };
      return extendRedemptions({ redemptionIds: ['redemption'], months: 1 }, writer);
    };
    await extend(partner.id, partner.seen);
    // Neither whose redemption it is not, nor whose it is for the asking.
    await expect(extend(other.id, other.seen)).rejects.toThrow('Redemption not found');
    await expect(extend(partner.id, other.seen)).rejects.toThrow('Redemption not found');
    const ends = await whole.prisma.organization.findMany({
      where: { sponsoredUntil: { not: null } },
      select: { id: true, sponsoredUntil: true },
    });
    expect(ends).toEqual([{ id: workspace.id, sponsoredUntil: new Date('2027-02-28T10:00:00Z') }]);
    expect(
      await partner.seen.prisma.organization.updateMany({
        data: { name: 'Taken' },
        where: { id: workspace.id },
      }),
    ).toEqual({ count: 0 });
    expect(await partner.seen.sql`select id from organizations where id = ${other.id}`).toEqual([]);
  });

  it('who creates a user finds an account that is not theirs to see, and sees no other by it', async () => {
    const [one, , other] = organizations;
    if (!one || !other) throw new Error('no organizations');
    const actor = {
      organizationId: one.id,
      kind: 'SYSTEM' as const,
      keyId: null,
      userId: null,
      requestId: null,
    };
    const writer = {
      database: one.seen,
      clock: () => new Date(),
      actor,
      credentialsChanged: () => {},
    };
    const email = `${other.userId}@rows.example`;
    expect(await createUser({ email }, writer)).toMatchObject({
      isNewUser: false,
      user: { id: other.userId, email },
    });
    expect(await createUser({ email: 'new@wall.example', firstName: 'New' }, writer)).toMatchObject(
      { isNewUser: true, user: { firstName: 'New' } },
    );
    await expect(createUser({ email }, writer)).rejects.toThrow('already a member');
    expect(await one.seen.sql`select id from organizations where id = ${other.id}`).toEqual([]);
    expect(
      await one.seen.sql`select role from memberships where organization_id = ${other.id}`,
    ).toEqual([]);
  });
});

it.skipIf(serverUrl === undefined)(
  'a superuser is told nothing and asked nothing more',
  async () => {
    const database = await testDatabase();
    const [role] = await database.sql<{
      rlsActive: boolean;
    }>`select not (rolsuper or rolbypassrls) as "rlsActive" from pg_roles where rolname = current_user`;
    const statements = watchStatements(/^$/);
    const scoped = database.within({ organizationId: 'one', personId: '' });
    const seen = await statements.during(async () => {
      await scoped.sql`select 1`;
      await scoped.prisma.team.findMany();
    });
    statements.stop();
    expect(scoped.rlsActive).toBe(role?.rlsActive);
    expect(seen.statements.some((text) => text.includes('set_config'))).toBe(role?.rlsActive);
    await database.close();
  },
);
