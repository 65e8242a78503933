import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkViolation,
  foreignKeyViolation,
  isRetryable,
} from '../../../src/platform/database/faults.ts';
import { testDatabase } from '../../support/database.ts';
import { faultOf } from '../../support/fault-of.ts';
import { rowsIn } from '../../support/rows.ts';

const people = 6;
const connections = 4;

let database: Awaited<ReturnType<typeof testDatabase>>;
let rows: ReturnType<typeof rowsIn>;

beforeAll(async () => {
  database = await testDatabase({ poolSize: connections });
  rows = rowsIn(database);
});
afterAll(() => database.close());

async function scene() {
  const [{ id, defaultTeamId }, { id: otherId }] = [
    await rows.organization(),
    await rows.organization(),
  ];
  const users = [];
  for (let made = 0; made < people; made += 1) users.push((await rows.user()).id);
  return { id, otherId, teamIds: [defaultTeamId, await rows.team(id)], users };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const steps = {
  join: ({ id, users }: Scene, at: number) => database.sql`
    insert into memberships (organization_id, user_id, user_created_at)
    select ${id}, id, created_at from users where id = ${users[at % people] ?? ''} on conflict do nothing`,
  joinAll: ({ id, users }: Scene) => database.sql`
    insert into memberships (organization_id, user_id, user_created_at)
    select ${id}, id, created_at from users where id = any(${users}) on conflict do nothing`,
  leave: ({ id, users }: Scene, at: number) =>
    database.sql`delete from memberships where organization_id = ${id} and user_id = ${users[at % people] ?? ''}`,
  leaveAll: ({ id }: Scene) => database.sql`delete from memberships where organization_id = ${id}`,
  move: ({ id, otherId, users }: Scene, at: number) => database.sql`
    update memberships set organization_id = ${otherId} where organization_id = ${id} and user_id = ${users[at % people] ?? ''}
    and not exists (select from memberships where organization_id = ${otherId} and user_id = ${users[at % people] ?? ''})
    and not exists (select from team_memberships where organization_id = ${id} and user_id = ${users[at % people] ?? ''})`,
  promote: ({ id }: Scene) =>
    database.sql`update memberships set role = 'ADMIN' where organization_id = ${id}`,
  enter: ({ id, teamIds }: Scene, at: number) => database.sql`
    insert into team_memberships (team_id, user_id, organization_id)
    select ${teamIds[at % 2] ?? ''}, user_id, organization_id from memberships where organization_id = ${id} on conflict do nothing`,
  exit: ({ teamIds }: Scene, at: number) =>
    database.sql`delete from team_memberships where team_id = ${teamIds[at % 2] ?? ''}`,
  fold: ({ id }: Scene) => database.sql`select fold_counter('organization.members', ${id})`,
};
const names = Object.keys(steps).filter((name): name is keyof typeof steps => name in steps);

/**
 * Where two steps meet, the database may refuse one of them; both are then to be counted as what
 * they did.
 */
async function attempt(step: keyof typeof steps, here: Scene, at: number): Promise<void> {
  try {
    await steps[step](here, at);
  } catch (error) {
    if (!foreignKeyViolation(error) && !isRetryable(error)) throw error;
  }
}

async function totals({ id, otherId, teamIds }: Scene) {
  const [found] = await database.sql<{ counted: number[]; there: number[] }>`
    select array[counted('organization.members', ${id}), counted('organization.members', ${otherId}),
                 counted('team.members', ${teamIds[0] ?? ''}), counted('team.members', ${teamIds[1] ?? ''})]::int[] as counted,
           array[(select count(*) from memberships where organization_id = ${id}), (select count(*) from memberships where organization_id = ${otherId}),
                 (select count(*) from team_memberships where team_id = ${teamIds[0] ?? ''}), (select count(*) from team_memberships where team_id = ${teamIds[1] ?? ''})]::int[] as there`;
  return found;
}

describe('the kept totals', () => {
  it('equal the rows after any steps on several connections at once', async () => {
    const step = fc.tuple(fc.constantFrom(...names), fc.nat(people));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 12 }), {
          minLength: connections,
          maxLength: connections,
        }),
        async (scripts) => {
          const here = await scene();
          await Promise.all(
            scripts.map(async (script) => {
              for (const [name, at] of script) await attempt(name, here, at);
            }),
          );
          const found = await totals(here);
          expect(found?.counted).toEqual(found?.there);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('leave out what is rolled back', async () => {
    const here = await scene();
    const undone = database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`insert into memberships (organization_id, user_id, user_created_at) select ${here.id}, id, created_at from users where id = any(${here.users})`;
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect((await totals(here))?.counted).toEqual([0, 0, 0, 0]);
  });

  it('fold into one row of the same sum', async () => {
    const here = await scene();
    for (let at = 0; at < people; at += 1) await steps.join(here, at);
    await steps.fold(here);
    expect(
      await database.sql`select delta from counter_deltas where owner_id = ${here.id}`,
    ).toEqual([{ delta: people }]);
  });

  it('leave nothing behind of an owner that has nobody', async () => {
    const here = await scene();
    await steps.joinAll(here);
    await steps.leaveAll(here);
    await steps.fold(here);
    expect(await database.sql`select from counter_deltas where owner_id = ${here.id}`).toEqual([]);
  });

  it.each(['memberships cascade', 'team_memberships'])(
    'can not be passed by: truncate %s is refused',
    async (tables) => {
      expect(
        checkViolation(await faultOf(database.prisma.$executeRawUnsafe(`truncate ${tables}`)))
          ?.constraint,
      ).toMatch(/_not_truncated$/);
    },
  );
});
