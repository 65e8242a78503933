import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { signIn } from '../../support/sign-in.ts';
import { watchStatements } from '../../support/statements.ts';

type TeamsQueryResult = {
  teams: {
    nodes: {
      id: string;
      users: { totalCount: number; totalPages: number; nodes: { id: string }[] };
    }[];
  };
};

const query = `query ($page: SafeInt! = 1, $pageSize: Int! = 20, $search: String) {
  teams { nodes { id users(page: $page, pageSize: $pageSize, search: $search) { totalCount totalPages nodes { id } } } }
}`;

let app: TestApp;
let owner: TestOrganization;
let ids: string[];

beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '10000' });
  owner = await app.organization();
  ids = [owner.administratorId];
  for (const name of ['anna', 'bert', 'carl_x', 'dora'])
    ids.unshift((await owner.member(`${name}@team-users.example`, { firstName: name })).id);
});
afterAll(() => app.close());

const teams = async (variables: Record<string, unknown> = {}) =>
  Object(await app.graph(owner.key, query, variables)).data as TeamsQueryResult;
const inDefaultTeam = async (variables: Record<string, unknown> = {}) =>
  (await teams(variables)).teams.nodes.find(({ id }) => id === owner.defaultTeamId)?.users;

describe('Team.users', () => {
  it('The users of a team are paged, newest first, with their total', async () => {
    const pageWith = (...userIds: (string | undefined)[]) => ({
      totalCount: 5,
      totalPages: 3,
      nodes: userIds.map((id) => ({ id })),
    });
    expect(await inDefaultTeam({ page: 1, pageSize: 2 })).toEqual(pageWith(ids[0], ids[1]));
    expect(await inDefaultTeam({ page: 3, pageSize: 2 })).toEqual(pageWith(ids[4]));
    expect(await inDefaultTeam({ page: 4, pageSize: 2 })).toEqual(pageWith());
    expect(await inDefaultTeam({ page: 9_007_199_254_740_991, pageSize: 2 })).toEqual(pageWith());
  });

  it('A search finds users by a part of their names, regardless of case and with _ as a plain character', async () => {
    expect(await inDefaultTeam({ search: 'DOR' })).toEqual({
      totalCount: 1,
      totalPages: 1,
      nodes: [{ id: ids[0] }],
    });
    expect((await inDefaultTeam({ search: 'l_x' }))?.nodes).toEqual([{ id: ids[1] }]);
    expect((await inDefaultTeam({ search: 'x_l' }))?.totalCount).toBe(0);
    expect((await inDefaultTeam({ search: 'team-users', pageSize: 1 }))?.totalCount).toBe(4);
    expect((await inDefaultTeam({ search: '' }))?.totalCount).toBe(5);
  });

  it('The users of many teams need as many statements as those of one, and each alias has its own arguments', async () => {
    const watch = watchStatements();
    const forOne = (await watch.during(() => teams())).statements.length;
    for (const name of ['One', 'Two', 'Three']) {
      const { body } = await owner.manage('POST', '/teams', { name });
      await owner.manage('POST', `/teams/${Object(body['team']).id}/users`, { userId: ids[0] });
    }
    const many = await watch.during(() => teams());
    watch.stop();
    expect(many.result.teams.nodes.map(({ users }) => users.totalCount).toSorted()).toEqual([
      1, 1, 1, 5,
    ]);
    expect(many.statements).toHaveLength(forOne);
    const { data } = await app.graph(
      owner.key,
      `{ team(teamId: "${owner.defaultTeamId}") { two: users(pageSize: 2) { nodes { id } } three: users(pageSize: 3) { nodes { id } } } }`,
    );
    expect(data).toEqual({
      team: {
        two: { nodes: ids.slice(0, 2).map((id) => ({ id })) },
        three: { nodes: ids.slice(0, 3).map((id) => ({ id })) },
      },
    });
  });

  it('A member cannot list the users of a team, but can see their own teams', async () => {
    const session = await signIn(app, ids[1] ?? '');
    await session.graph('mutation { createUserKey(input: { name: "Mine" }) { key } }');
    const throughOwner = (selection: string) =>
      session.graph(`{ myApiKeys { nodes { owner { teams ${selection} } } } }`);
    expect((await throughOwner('{ name }')).data).toEqual({
      myApiKeys: { nodes: [{ owner: { teams: [{ name: 'Everyone' }] } }] },
    });
    expect((await throughOwner('{ users { totalCount } }')).code).toBe('FORBIDDEN');
  });
});
