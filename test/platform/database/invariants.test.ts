import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkViolation,
  foreignKeyViolation,
  uniqueViolation,
} from '../../../src/platform/database/faults.ts';
import { testDatabase } from '../../support/database.ts';
import { faultOf } from '../../support/fault-of.ts';
import { rowsIn } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let rows: ReturnType<typeof rowsIn>;

beforeAll(async () => {
  database = await testDatabase();
  rows = rowsIn(database);
});
afterAll(() => database.close());

const constraintOf = async (work: Promise<unknown>) =>
  checkViolation(await faultOf(work))?.constraint;

describe('references between two organizations', () => {
  it('a member of one organization cannot join a team of another, whichever organization the row names', async () => {
    const [home, foreign] = [await rows.organization(), await rows.organization()];
    const userId = await rows.member(home.id);
    for (const organizationId of [home.id, foreign.id]) {
      const enter = database.sql`insert into team_memberships (team_id, user_id, organization_id) values (${foreign.defaultTeamId}, ${userId}, ${organizationId})`;
      expect(foreignKeyViolation(await faultOf(enter))).toBeDefined();
    }
  });

  it('a team with members cannot be moved to another organization', async () => {
    const [home, foreign] = [await rows.organization(), await rows.organization()];
    const [userId, teamId] = [await rows.member(home.id), await rows.team(home.id)];
    await database.sql`insert into team_memberships (team_id, user_id, organization_id) values (${teamId}, ${userId}, ${home.id})`;
    const move = database.sql`update teams set organization_id = ${foreign.id} where id = ${teamId}`;
    expect(foreignKeyViolation(await faultOf(move))).toBeDefined();
  });

  it('a user key can only belong to a member of its organization', async () => {
    const [home, foreign] = [await rows.organization(), await rows.organization()];
    const userId = await rows.member(home.id);
    expect(foreignKeyViolation(await faultOf(rows.userKey(foreign.id, userId)))).toEqual({
      constraint: 'api_keys_organization_id_user_id_fkey',
    });
  });
});

describe('the default team', () => {
  it('the default team cannot be deleted', async () => {
    const { defaultTeamId } = await rows.organization();
    expect(await constraintOf(database.sql`delete from teams where id = ${defaultTeamId}`)).toBe(
      'teams_default_stays',
    );
  });

  it('the default team cannot become an ordinary team', async () => {
    const { defaultTeamId } = await rows.organization();
    expect(
      await constraintOf(
        database.sql`update teams set is_default = false where id = ${defaultTeamId}`,
      ),
    ).toBe('teams_default_stays');
  });

  it('an organization cannot have two default teams', async () => {
    const { id } = await rows.organization();
    const second = database.sql`insert into teams (id, organization_id, name, name_key, is_default) values ('second', ${id}, 'Second', 'second', true)`;
    expect(uniqueViolation(await faultOf(second))).toEqual({ constraint: 'teams_one_default' });
  });

  it('an organization without a default team cannot be committed', async () => {
    const create = database.sql`insert into organizations (id, slug, name) values ('bare', 'bare', 'Bare')`;
    expect(await constraintOf(create)).toBe('organizations_default_team');
    expect(await database.sql`select from organizations where id = 'bare'`).toEqual([]);
  });
});

describe('the audit log', () => {
  it.each([
    'update audit_entries set action = $$other$$',
    'delete from audit_entries',
    'truncate audit_entries',
  ])('the audit log rejects the statement: %s', async (statement) => {
    const { id } = await rows.organization();
    const entryId = await rows.auditEntry(id);
    expect(await constraintOf(database.prisma.$executeRawUnsafe(statement))).toBe(
      'audit_entries_append_only',
    );
    expect(await database.sql`select action from audit_entries where id = ${entryId}`).toEqual([
      { action: 'test' },
    ]);
  });

  it('the audit log of an organization remains after the organization is deleted', async () => {
    const { id } = await rows.organization();
    const entryId = await rows.auditEntry(id);
    await database.prisma.organization.delete({ where: { id } });
    expect(await database.prisma.auditEntry.count({ where: { id: entryId } })).toBe(1);
  });
});

describe('constraints', () => {
  it.each([
    ['organizations_slug_shape', "update organizations set slug = 'With Space'"],
    ['organizations_name_present', "update organizations set name = ''"],
    ['organizations_seat_limit_range', 'update organizations set seat_limit = 0'],
    ['users_email_normalised', "update users set email = 'Upper@case.example'"],
    ['teams_name_present', "update teams set name = ''"],
    ['api_keys_owner_fits_kind', 'update api_keys set user_id = null'],
    ['api_keys_hash_is_sha256', "update api_keys set hash = 'short'"],
    ['api_keys_limit_range', 'update api_keys set limit_per_minute = 0'],
  ])('the constraint %s rejects an invalid value', async (constraint, statement) => {
    const { id } = await rows.organization();
    await rows.userKey(id, await rows.member(id));
    expect(await constraintOf(database.prisma.$executeRawUnsafe(statement))).toBe(constraint);
  });
});

describe('cascading deletes', () => {
  async function populatedOrganization() {
    const { id, defaultTeamId } = await rows.organization();
    const userId = await rows.member(id);
    const teamId = await rows.team(id);
    await database.prisma.teamMembership.createMany({
      data: [defaultTeamId, teamId].map((team) => ({ teamId: team, userId, organizationId: id })),
    });
    return {
      id,
      userId,
      teamId,
      userKeyId: await rows.userKey(id, userId),
      organizationKeyId: await rows.organizationKey(id),
    };
  }
  const remainingRows = async (organizationId: string) => ({
    memberships: await database.prisma.membership.count({ where: { organizationId } }),
    teams: await database.prisma.team.count({ where: { organizationId } }),
    teamMemberships: await database.prisma.teamMembership.count({ where: { organizationId } }),
    keys: (await database.prisma.apiKey.findMany({ where: { organizationId } })).map(
      (key) => key.id,
    ),
  });

  it('deleting a membership deletes its team memberships and user keys, and keeps the account', async () => {
    const { id, userId, organizationKeyId } = await populatedOrganization();
    await database.prisma.membership.delete({
      where: { organizationId_userId: { organizationId: id, userId } },
    });
    expect(await remainingRows(id)).toEqual({
      memberships: 0,
      teams: 2,
      teamMemberships: 0,
      keys: [organizationKeyId],
    });
    expect(await database.prisma.user.count({ where: { id: userId } })).toBe(1);
  });

  it('deleting a team deletes its team memberships and keeps the members', async () => {
    const { id, teamId, userKeyId, organizationKeyId } = await populatedOrganization();
    await database.prisma.team.delete({ where: { id: teamId } });
    const { keys, ...rest } = await remainingRows(id);
    expect(rest).toEqual({ memberships: 1, teams: 1, teamMemberships: 1 });
    expect(keys.toSorted()).toEqual([userKeyId, organizationKeyId].toSorted());
  });

  it('deleting an account deletes its memberships', async () => {
    const { id, userId, organizationKeyId } = await populatedOrganization();
    await database.prisma.user.delete({ where: { id: userId } });
    expect(await remainingRows(id)).toEqual({
      memberships: 0,
      teams: 2,
      teamMemberships: 0,
      keys: [organizationKeyId],
    });
  });

  it('deleting an organization deletes everything in it, including its default team', async () => {
    const { id, userId } = await populatedOrganization();
    await database.prisma.organization.delete({ where: { id } });
    expect(await remainingRows(id)).toEqual({
      memberships: 0,
      teams: 0,
      teamMemberships: 0,
      keys: [],
    });
    expect(await database.prisma.user.count({ where: { id: userId } })).toBe(1);
  });
});
