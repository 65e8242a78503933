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

async function createScene() {
  const [{ id, defaultTeamId }, { id: otherId }] = [
    await rows.organization(),
    await rows.organization(),
  ];
  const users = [];
  for (let index = 0; index < people; index += 1) users.push((await rows.user()).id);
  return { id, otherId, teamIds: [defaultTeamId, await rows.team(id)], users };
}
type CounterScene = Awaited<ReturnType<typeof createScene>>;

const operations = {
  join: ({ id, users }: CounterScene, at: number) => database.sql`
    insert into memberships (organization_id, user_id, user_created_at)
    select ${id}, id, created_at from users where id = ${users[at % people] ?? ''} on conflict do nothing`,
  joinAll: ({ id, users }: CounterScene) => database.sql`
    insert into memberships (organization_id, user_id, user_created_at)
    select ${id}, id, created_at from users where id = any(${users}) on conflict do nothing`,
  leave: ({ id, users }: CounterScene, at: number) =>
    database.sql`delete from memberships where organization_id = ${id} and user_id = ${users[at % people] ?? ''}`,
  leaveAll: ({ id }: CounterScene) =>
    database.sql`delete from memberships where organization_id = ${id}`,
  move: ({ id, otherId, users }: CounterScene, at: number) => database.sql`
    update memberships set organization_id = ${otherId} where organization_id = ${id} and user_id = ${users[at % people] ?? ''}
    and not exists (select from memberships where organization_id = ${otherId} and user_id = ${users[at % people] ?? ''})
    and not exists (select from team_memberships where organization_id = ${id} and user_id = ${users[at % people] ?? ''})`,
  promote: ({ id }: CounterScene) =>
    database.sql`update memberships set role = 'ADMIN' where organization_id = ${id}`,
  enter: ({ id, teamIds }: CounterScene, at: number) => database.sql`
    insert into team_memberships (team_id, user_id, organization_id)
    select ${teamIds[at % 2] ?? ''}, user_id, organization_id from memberships where organization_id = ${id} on conflict do nothing`,
  exit: ({ teamIds }: CounterScene, at: number) =>
    database.sql`delete from team_memberships where team_id = ${teamIds[at % 2] ?? ''}`,
  fold: ({ id }: CounterScene) => database.sql`select fold_counter('organization.members', ${id})`,
};
const names = Object.keys(operations).filter(
  (name): name is keyof typeof operations => name in operations,
);

/**
 * Concurrent operations may conflict, and the database may then reject one of them. The counters
 * must reflect only what was stored.
 */
async function attempt(
  step: keyof typeof operations,
  scene: CounterScene,
  at: number,
): Promise<void> {
  try {
    await operations[step](scene, at);
  } catch (error) {
    if (!foreignKeyViolation(error) && !isRetryable(error)) throw error;
  }
}

async function totals({ id, otherId, teamIds }: CounterScene) {
  const [result] = await database.sql<{ counted: number[]; actual: number[] }>`
    select array[counted('organization.members', ${id}), counted('organization.members', ${otherId}),
                 counted('team.members', ${teamIds[0] ?? ''}), counted('team.members', ${teamIds[1] ?? ''})]::int[] as counted,
           array[(select count(*) from memberships where organization_id = ${id}), (select count(*) from memberships where organization_id = ${otherId}),
                 (select count(*) from team_memberships where team_id = ${teamIds[0] ?? ''}), (select count(*) from team_memberships where team_id = ${teamIds[1] ?? ''})]::int[] as actual`;
  return result;
}

describe('the counters', () => {
  it('the counters equal the row counts after any concurrent operations', async () => {
    const step = fc.tuple(fc.constantFrom(...names), fc.nat(people));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 12 }), {
          minLength: connections,
          maxLength: connections,
        }),
        async (scripts) => {
          const scene = await createScene();
          await Promise.all(
            scripts.map(async (script) => {
              for (const [name, at] of script) await attempt(name, scene, at);
            }),
          );
          const result = await totals(scene);
          expect(result?.counted).toEqual(result?.actual);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('the counters do not include rolled-back changes', async () => {
    const scene = await createScene();
    const undone = database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`insert into memberships (organization_id, user_id, user_created_at) select ${scene.id}, id, created_at from users where id = any(${scene.users})`;
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect((await totals(scene))?.counted).toEqual([0, 0, 0, 0]);
  });

  it('fold_counter merges the rows of a counter into one row with the same sum', async () => {
    const scene = await createScene();
    for (let at = 0; at < people; at += 1) await operations.join(scene, at);
    await operations.fold(scene);
    expect(
      await database.sql`select delta from counter_deltas where owner_id = ${scene.id}`,
    ).toEqual([{ delta: people }]);
  });

  it('fold_counter deletes all rows of a counter that is zero', async () => {
    const scene = await createScene();
    await operations.joinAll(scene);
    await operations.leaveAll(scene);
    await operations.fold(scene);
    expect(await database.sql`select from counter_deltas where owner_id = ${scene.id}`).toEqual([]);
  });

  it.each(['memberships cascade', 'team_memberships'])(
    'truncating %s is rejected, because it would bypass the counters',
    async (tables) => {
      expect(
        checkViolation(await faultOf(database.prisma.$executeRawUnsafe(`truncate ${tables}`)))
          ?.constraint,
      ).toMatch(/_not_truncated$/);
    },
  );
});
