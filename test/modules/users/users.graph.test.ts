import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answerOf, dataOf } from '../../support/answers.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { watchStatements } from '../../support/statements.ts';

const teamList = z.object({
  teams: z.object({ nodes: z.array(z.object({ id: z.string(), name: z.string() })) }),
});

let app: TestApp;
const watch = watchStatements();
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '10000' });
});
afterAll(async () => {
  watch.stop();
  await app.close();
});

async function withPeople(people: number, teams: number): Promise<TestOrganization> {
  const owner = await app.organization();
  const ids = [owner.administratorId];
  for (let index = 0; index < people; index += 1)
    ids.push((await owner.member(`p${index}@graph-${owner.slug}.example`)).id);
  for (let index = 0; index < teams; index += 1) {
    const created = await owner.manage('POST', '/teams', { name: `Team ${index}` });
    const { id } = answerOf('createTeam', created).team;
    for (const userId of ids.slice(index))
      await owner.manage('POST', `/teams/${id}/users`, { userId });
  }
  return owner;
}

const dashboard = /* GraphQL */ `
  query Dashboard {
    organization { name memberCount }
    users(pageSize: 10) { totalCount nodes { email apiKeyCount teams { name memberCount users(pageSize: 2) { totalCount nodes { email } } } } }
    teams { nodes { name memberCount users(pageSize: 3) { totalCount nodes { email isAdmin } } } }
  }
`;

describe('a dashboard', () => {
  it('The dashboard needs the same number of statements for few and for many people and teams', async () => {
    const [small, large] = [await withPeople(1, 1), await withPeople(9, 4)];
    const few = await watch.during(() => app.graph(small.key, dashboard));
    const many = await watch.during(() => app.graph(large.key, dashboard));
    expect(few.result.errors).toEqual([]);
    expect(many.result.errors).toEqual([]);
    expect(many.statements.length).toBe(few.statements.length);
  });

  it('The dashboard shows each team with its own people and counts', async () => {
    const owner = await withPeople(3, 2);
    const { data } = await app.graph(
      owner.key,
      '{ teams { nodes { name memberCount users(pageSize: 2) { totalCount totalPages nodes { email } } } } }',
    );
    expect(data).toEqual({
      teams: {
        nodes: [
          {
            name: 'Team 1',
            memberCount: 3,
            users: { totalCount: 3, totalPages: 2, nodes: [expect.anything(), expect.anything()] },
          },
          {
            name: 'Team 0',
            memberCount: 4,
            users: { totalCount: 4, totalPages: 2, nodes: [expect.anything(), expect.anything()] },
          },
          {
            name: expect.any(String),
            memberCount: 4,
            users: { totalCount: 4, totalPages: 2, nodes: [expect.anything(), expect.anything()] },
          },
        ],
      },
    });
  });
});

describe('GraphQL', () => {
  it('GraphQL has the operations of the REST API, with the same rules and error codes', async () => {
    const owner = await app.organization();
    const created = await app.graph(
      owner.key,
      'mutation { createUser(input: { email: "one@graph.example", firstName: "One" }) { isNewUser user { id email } } }',
    );
    expect(created.data).toMatchObject({
      createUser: { isNewUser: true, user: { email: 'one@graph.example' } },
    });
    const codes = async (query: string) =>
      (await app.graph(owner.key, query)).errors.map(({ extensions }) => extensions?.code);
    expect(
      await codes('mutation { createUser(input: { email: "one@graph.example" }) { isNewUser } }'),
    ).toEqual(['CONFLICT']);
    expect(
      await codes('mutation { addUser(input: { email: "nobody@graph.example" }) { user { id } } }'),
    ).toEqual(['NOT_FOUND']);
    expect(
      await codes(
        `mutation { removeUser(input: { userId: "${owner.administratorId}" }) { success } }`,
      ),
    ).toEqual(['FORBIDDEN']);
    expect(
      await codes(
        `mutation { deleteTeam(input: { teamId: "${owner.defaultTeamId}" }) { success } }`,
      ),
    ).toEqual(['FORBIDDEN']);
    expect(await codes('mutation { createTeam(input: { name: "" }) { team { id } } }')).toEqual([
      'BAD_INPUT',
    ]);
    expect(await codes('{ users(page: 0) { totalCount } }')).toEqual(['BAD_INPUT']);
    expect(await codes('{ user(userId: "unknown") { id } }')).toEqual(['NOT_FOUND']);
    expect(await codes('{ user(userId: "\\u0000") { id } }')).toEqual(['BAD_INPUT']);
  });

  it('The second mutation of a request sees the result of the first one', async () => {
    const owner = await app.organization();
    const { data } = await app.graph(
      owner.key,
      'mutation { a: createTeam(input: { name: "A" }) { team { memberCount } } b: createTeam(input: { name: "B" }) { team { memberCount } } }',
    );
    expect(data).toEqual({
      a: { team: { memberCount: 0 } },
      b: { team: { memberCount: 0 } },
    });
    const teams = await app.graph(owner.key, '{ teams { nodes { id name } } }');
    const id = dataOf(teamList, teams).teams.nodes.find(({ name }) => name === 'A')?.id;
    const member = await owner.member('two@graph.example');
    const changed = await app.graph(
      owner.key,
      `mutation { one: addTeamUser(input: { teamId: "${id}", userId: "${owner.administratorId}" }) { team { memberCount } } two: addTeamUser(input: { teamId: "${id}", userId: "${member.id}" }) { team { memberCount } } }`,
    );
    expect(changed.data).toEqual({
      one: { team: { memberCount: 1 } },
      two: { team: { memberCount: 2 } },
    });
  });

  it('User keys, and organization keys without the feature, cannot manage users', async () => {
    const owner = await app.organization();
    const member = await owner.member('no-manager@graph.example');
    const { key } = await owner.userKey(member.id);
    expect((await app.graph(key, '{ users { totalCount } }')).errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ]);
    const ownerWithoutFeature = await app.organization({ features: [] });
    expect(
      (await app.graph(ownerWithoutFeature.key, '{ users { totalCount } }')).errors,
    ).toMatchObject([{ extensions: { code: 'FEATURE_DISABLED' } }]);
    expect(
      (
        await app.graph(
          ownerWithoutFeature.key,
          'mutation { createTeam(input: { name: "x" }) { team { id } } }',
        )
      ).errors,
    ).toMatchObject([{ extensions: { code: 'FEATURE_DISABLED' } }]);
  });

  it('The audit log has an entry with key and request id for each change, and no entry for a refused one', async () => {
    const owner = await app.organization();
    const created = await owner.manage('POST', '/teams', { name: 'Audited' });
    await owner.manage('POST', '/teams', { name: 'Audited' });
    const entries = await app.database.prisma.auditEntry.findMany({
      where: { organizationId: owner.id },
    });
    expect(entries).toMatchObject([
      {
        action: 'create-team',
        actorKind: 'ORGANIZATION_KEY',
        actorKeyId: owner.keyId,
        actorUserId: null,
        targetType: 'Team',
        targetId: answerOf('createTeam', created).team.id,
        changes: { name: 'Audited' },
        requestId: created.headers.get('x-request-id'),
      },
    ]);
  });
});
