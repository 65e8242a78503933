import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../src/modules/audit/system-actor.ts';
import { extendTogether } from '../../../src/modules/sponsorship/redemptions/extend-together.ts';
import { createUser } from '../../../src/modules/users/create-user.ts';
import { type Database, unscopedDatabase } from '../../../src/platform/database/database.ts';
import type { Transaction } from '../../../src/platform/database/open-transaction.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import {
  canCreateRoles,
  createRestrictedDatabase,
  type RestrictedDatabase,
} from '../../proof/isolation/restricted-database.ts';
import { serverUrl, testDatabase } from '../../support/database.ts';
import { rowsIn } from '../../support/rows.ts';
import { watchStatements } from '../../support/statements.ts';

it('every table has forced row-level security and a policy', async () => {
  const database = await testDatabase();
  const open = await database.sql`
    select c.relname::text as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname <> '_prisma_migrations'
      and not (c.relrowsecurity and c.relforcerowsecurity and exists (select from pg_policy p where p.polrelid = c.oid))`;
  expect(open).toEqual([]);
  await database.close();
});

// The embedded database has only one role, which is a superuser.
const canMakeRoles = serverUrl !== undefined && (await canCreateRoles(serverUrl));
if (!canMakeRoles)
  process.stderr.write(
    'Skipped: row-level security of an unprivileged role, because TEST_DATABASE_URL is not set or its user may not create roles.\n',
  );

describe.skipIf(!canMakeRoles)(
  'row-level security for a table owner without other privileges',
  () => {
    let restricted: RestrictedDatabase;
    let unscoped: Database;
    const organizations: { id: string; userId: string; teamId: string; scoped: Database }[] = [];

    beforeAll(async () => {
      restricted = await createRestrictedDatabase(serverUrl);
      unscoped = await restricted.open();
      const rows = rowsIn(unscoped);
      for (let index = 0; index < 3; index += 1) {
        const { id } = await rows.organization();
        const userId = await rows.member(id);
        const teamId = await rows.team(id, 'Sales');
        organizations.push({
          id,
          userId,
          teamId,
          scoped: unscoped.within({ organizationId: id, personId: '' }),
        });
      }
    });
    afterAll(async () => {
      await unscoped.close();
      await restricted.drop();
    });

    it('a session without a scope sees no rows', async () => {
      expect(
        await restricted.query(
          'select from organizations union all select from users union all select from counter_deltas',
        ),
      ).toEqual([]);
    });

    it('a session in the scope of an organization sees only its rows even without a condition, and an unscoped one sees all', async () => {
      for (const { id, userId, scoped } of organizations) {
        expect(await scoped.sql`select id from organizations`).toEqual([{ id }]);
        expect(await scoped.sql`select id from users`).toEqual([{ id: userId }]);
        expect(await scoped.sql`select distinct organization_id as id from counter_deltas`).toEqual(
          [{ id }],
        );
        expect(await scoped.sql`select "organizationId" as id from members`).toEqual([{ id }]);
        expect(
          await scoped.prisma.team.findMany({
            select: { organizationId: true },
            distinct: 'organizationId',
          }),
        ).toEqual([{ organizationId: id }]);
        expect(
          await unscopedDatabase(scoped).sql`select count(*)::int as count from organizations`,
        ).toEqual([{ count: 3 }]);
      }
    });

    it('a session in the scope of a person sees their organizations and themselves, and no other members', async () => {
      const [first, second] = organizations;
      const person = unscoped.within({ organizationId: '', personId: first?.userId ?? '' });
      expect(await person.sql`select id from organizations`).toEqual([{ id: first?.id }]);
      expect(await person.sql`select id from users`).toEqual([{ id: first?.userId }]);
      expect(await person.sql`select from teams`).toEqual([]);
      expect(
        await person.prisma.user.findUnique({ where: { id: second?.userId ?? '' } }),
      ).toBeNull();
    });

    it('concurrent sessions of many organizations on few connections never see each other’s rows', async () => {
      const requested = Array.from(
        { length: 60 },
        (_, index) => organizations[index % organizations.length],
      ).flatMap((first) => (first ? [first] : []));
      const answers = await Promise.all(
        requested.flatMap(({ id, teamId, scoped }) => [
          // Prisma combines the lookups of one tick into one statement.
          scoped.prisma.team
            .findUnique({ where: { id: teamId }, select: { organizationId: true } })
            .then((team) => [id, team?.organizationId]),
          scoped.sql<{
            value: string;
          }>`select string_agg(id, ' ') as value from organizations`.then(([row]) => [
            id,
            row?.value,
          ]),
          inTransaction(scoped, async (tx) =>
            (await tx.sql<{ id: string }>`select id from organizations`)
              .map((row) => row.id)
              .join(' '),
          ).then((value) => [id, value]),
          unscoped.sql<{ value: number }>`select count(*)::int as value from organizations`.then(
            ([row]) => [3, row?.value],
          ),
        ]),
      );
      expect(answers).toHaveLength(240);
      for (const [expected, value] of answers) expect(value).toBe(expected);
    });

    it('a scoped session changes no rows of other organizations and adds none in their name', async () => {
      const [first, second] = organizations;
      if (!first || !second) throw new Error('no organizations');
      expect(
        await first.scoped.prisma.team.updateMany({
          data: { name: 'Taken' },
          where: { id: second.teamId },
        }),
      ).toEqual({ count: 0 });
      expect(
        await first.scoped.prisma.team.deleteMany({ where: { organizationId: second.id } }),
      ).toEqual({
        count: 0,
      });
      expect(
        await first.scoped.prisma.organization.updateMany({
          data: { name: 'Taken' },
          where: { id: second.id },
        }),
      ).toEqual({ count: 0 });
      await expect(rowsIn(first.scoped).team(second.id)).rejects.toThrow(/row-level security/);
      await expect(
        first.scoped.prisma.user.create({ data: { id: 'new', email: 'new@tenant.example' } }),
      ).rejects.toThrow(/row-level security/);
    });

    it('a transaction of Prisma within an organization is refused, because its calls would leave it', async () => {
      const [first] = organizations;
      if (!first) throw new Error('no organization');
      const { prisma } = first.scoped;
      const sentence = /use inTransaction, which sets the scope/;
      expect(() => prisma.$transaction(async (tx) => tx.team.count())).toThrow(sentence);
      expect(() => prisma.$transaction([prisma.team.count()])).toThrow(sentence);
      expect(await prisma.team.count()).toBe(2);
    });

    it('withoutTenantScope sees all rows only during its callback, also if that throws', async () => {
      const countIn = async (tx: Transaction) =>
        (await tx.sql`select id from organizations`).length;
      const [first] = organizations;
      if (!first) throw new Error('no organization');
      const counts = await inTransaction(first.scoped, async (tx) => {
        const before = await countIn(tx);
        const unscopedCount = await tx.withoutTenantScope(() => countIn(tx));
        await tx
          .withoutTenantScope(() => Promise.reject(new Error('refused')))
          .catch(() => undefined);
        return [before, unscopedCount, await countIn(tx)];
      });
      expect(counts).toEqual([1, 3, 1]);
      expect(await first.scoped.sql`select count(*)::int as count from organizations`).toEqual([
        { count: 1 },
      ]);
    });

    it('extending a sponsorship moves the end of the sponsored workspace, and gives no further access to it', async () => {
      const [partner, workspace, other] = organizations;
      if (!partner || !workspace || !other) throw new Error('no organizations');
      const end = new Date('2027-01-31T10:00:00Z');
      const own = { organizationId: partner.id, campaignId: 'campaign' };
      await unscoped.prisma.campaign.create({
        data: { id: 'campaign', organizationId: partner.id, name: 'Campaign', durationMonths: 1 },
      });
      await unscoped.prisma.link.create({
        data: { id: 'link', ...own, name: 'Link', token: 'a'.repeat(32) },
      });
      await unscoped.prisma.redemption.create({
        data: {
          ...{
            id: 'redemption',
            ...own,
            linkId: 'link',
            userId: workspace.userId,
            sponsoredOrganizationId: workspace.id,
            reservationId: 'reservation',
          },
          ...{
            durationMonths: 1,
            redeemedAt: new Date('2026-12-31T10:00:00Z'),
            sponsoredUntil: end,
          },
        },
      });
      const extend = (organizationId: string, scoped: Database) => {
        const actor = systemActor(organizationId);
        const writer = { database: scoped, clock: () => end, actor, credentialsChanged: () => {} };
        return extendTogether({ redemptionIds: ['redemption'], months: 1 }, writer);
      };
      await extend(partner.id, partner.scoped);
      // Another organization cannot extend it, not even in the name of the partner.
      await expect(extend(other.id, other.scoped)).rejects.toThrow('Redemption not found');
      await expect(extend(partner.id, other.scoped)).rejects.toThrow('Redemption not found');
      const ends = await unscoped.prisma.organization.findMany({
        where: { sponsoredUntil: { not: null } },
        select: { id: true, sponsoredUntil: true },
      });
      expect(ends).toEqual([
        { id: workspace.id, sponsoredUntil: new Date('2027-02-28T10:00:00Z') },
      ]);
      expect(
        await partner.scoped.prisma.organization.updateMany({
          data: { name: 'Taken' },
          where: { id: workspace.id },
        }),
      ).toEqual({ count: 0 });
      expect(await partner.scoped.sql`select id from organizations where id = ${other.id}`).toEqual(
        [],
      );
    });

    it('creating a user finds an existing account of another organization, and reveals no other data of it', async () => {
      const [first, , other] = organizations;
      if (!first || !other) throw new Error('no organizations');
      const actor = systemActor(first.id);
      const writer = {
        database: first.scoped,
        clock: () => new Date(),
        actor,
        credentialsChanged: () => {},
      };
      const email = `${other.userId}@rows.example`;
      expect(await createUser({ email }, writer)).toMatchObject({
        isNewUser: false,
        user: { id: other.userId, email },
      });
      expect(
        await createUser({ email: 'new@tenant.example', firstName: 'New' }, writer),
      ).toMatchObject({ isNewUser: true, user: { firstName: 'New' } });
      await expect(createUser({ email }, writer)).rejects.toThrow('already a member');
      expect(await first.scoped.sql`select id from organizations where id = ${other.id}`).toEqual(
        [],
      );
      expect(
        await first.scoped.sql`select role from memberships where organization_id = ${other.id}`,
      ).toEqual([]);
    });
  },
);

it.skipIf(serverUrl === undefined)('a superuser session gets no scope statements', async () => {
  const database = await testDatabase();
  const [role] = await database.sql<{
    rlsActive: boolean;
  }>`select not (rolsuper or rolbypassrls) as "rlsActive" from pg_roles where rolname = current_user`;
  const statements = watchStatements(/^$/);
  const scoped = database.within({ organizationId: 'one', personId: '' });
  const observed = await statements.during(async () => {
    await scoped.sql`select 1`;
    await scoped.prisma.team.findMany();
  });
  statements.stop();
  expect(scoped.rlsActive).toBe(role?.rlsActive);
  expect(observed.statements.some((text) => text.includes('set_config'))).toBe(role?.rlsActive);
  await database.close();
});
