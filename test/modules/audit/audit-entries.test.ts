import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf } from '../../support/answers.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';
import { watchStatements } from '../../support/statements.ts';

type EntryFields = {
  id: string;
  at: string;
  targetName: string | null;
  actorName: string | null;
  user: { id: string } | null;
  action: string;
  actorKind: string;
  actorKeyId: string | null;
  actorUser: { id: string } | null;
  targetId: string;
  changes: { field: string; value: unknown; before: unknown }[];
  requestId: string;
};
type EntriesResult = {
  auditEntries: { totalCount: number; totalPages: number; nodes: EntryFields[] };
};

const query = `query ($page: SafeInt! = 1, $pageSize: Int! = 20, $from: DateTime, $until: DateTime, $action: String, $actorUserId: ID, $actorKeyId: ID, $targetType: String, $targetId: ID) {
  auditEntries(page: $page, pageSize: $pageSize, from: $from, until: $until, action: $action, actorUserId: $actorUserId, actorKeyId: $actorKeyId, targetType: $targetType, targetId: $targetId) {
    totalCount totalPages nodes { id at action actorKind actorKeyId actorUserId actorUser { id } targetType targetId targetName actorName user { id } changes { field value before } requestId }
  }
}`;

let app: TestApp;
let owner: TestOrganization;
let admin: TestSession;
let teamId: string;

beforeAll(async () => {
  app = await testApp();
  owner = await app.organization();
  admin = await signIn(app, owner.administratorId);
  const created = await owner.manage('POST', '/teams', { name: 'Audited' });
  teamId = answerOf('createTeam', created).team.id;
  const { id: userId } = await owner.member('audited@audit.example');
  await owner.manage('POST', `/teams/${teamId}/users`, { userId });
  await owner.manage('DELETE', `/teams/${teamId}/users/${userId}`);
  await admin.graph('mutation { createTeam(input: { name: "By hand" }) { team { id } } }');
});
afterAll(() => app.close());

const entries = async (variables: Record<string, unknown> = {}) =>
  (await admin.graph<EntriesResult>(query, variables)).data?.auditEntries;
const actions = async (variables: Record<string, unknown>) =>
  (await entries(variables))?.nodes.map(({ action }) => action);

describe('the query auditEntries', () => {
  it('The entries have the sender and the changes, newest first, with a total', async () => {
    const page = await entries();
    expect(page).toMatchObject({ totalCount: 5, totalPages: 1 });
    expect(page?.nodes.map(({ action, actorKind }) => [action, actorKind])).toEqual([
      ['create-team', 'SESSION'],
      ['remove-team-user', 'ORGANIZATION_KEY'],
      ['add-team-user', 'ORGANIZATION_KEY'],
      ['create-team', 'ORGANIZATION_KEY'],
      ['sign-in', 'SESSION'],
    ]);
    expect(page?.nodes[0]).toMatchObject({
      actorKeyId: null,
      actorUser: { id: owner.administratorId },
      changes: [{ field: 'name', value: 'By hand', before: null }],
    });
    expect(page?.nodes[3]).toMatchObject({
      actorKeyId: owner.keyId,
      actorUser: null,
      targetId: teamId,
      requestId: expect.stringMatching(/^[\w-]{36}$/),
    });
  });

  it('The entries can be filtered by action, by sender and by target', async () => {
    expect(await actions({ action: 'add-team-user' })).toEqual(['add-team-user']);
    expect(await actions({ actorUserId: owner.administratorId })).toEqual([
      'create-team',
      'sign-in',
    ]);
    expect(await actions({ actorKeyId: owner.keyId })).toEqual([
      'remove-team-user',
      'add-team-user',
      'create-team',
    ]);
    expect(await actions({ targetType: 'Team', targetId: teamId, action: null })).toEqual([
      'remove-team-user',
      'add-team-user',
      'create-team',
    ]);
    expect(await actions({ targetType: 'User' })).toEqual(['sign-in']);
    expect(await actions({ targetType: 'Assistant' })).toEqual([]);
  });

  it('What is written for each run is listed for its action, its kind or its target only', async () => {
    const organization = await app.organization();
    const session = await signIn(app, organization.administratorId);
    await app.database.sql`
      insert into audit_entries (id, organization_id, at, actor_kind, action, target_type, target_id, changes)
      values ('routine', ${organization.id}, now(), 'SYSTEM', 'complete-run', 'Run', 'a-run', '{}')`;
    const listed = async (variables: Record<string, unknown> = {}) =>
      (await session.graph<EntriesResult>(query, variables)).data?.auditEntries.nodes.map(
        ({ action }) => action,
      );
    expect(await listed()).toEqual(['sign-in']);
    for (const filter of [{ action: 'complete-run' }, { targetType: 'Run' }, { targetId: 'a-run' }])
      expect(await listed(filter)).toEqual(['complete-run']);
  });

  it('The entries can be filtered by time, and the end is exclusive', async () => {
    const [last, ...olderEntries] = (await entries())?.nodes ?? [];
    expect(await actions({ from: last?.at })).toContain('create-team');
    expect(
      (await entries({ until: last?.at }))?.nodes.every(({ at }) => at < String(last?.at)),
    ).toBe(true);
    expect(
      (await entries({ from: olderEntries.at(-1)?.at, until: '2999-01-01T00:00:00Z' }))?.totalCount,
    ).toBe(5);
    expect(await actions({ from: '2999-01-01T00:00:00Z' })).toEqual([]);
  });

  it('A cursor of another organization shows none of its entries', async () => {
    const byCursor =
      'query ($after: String) { auditEntries(first: 2, after: $after) { nodes { id } pageInfo { endCursor } } }';
    const { data } = await admin.graph<{ auditEntries: { pageInfo: { endCursor: string } } }>(
      byCursor,
    );
    const rival = await app.organization();
    const stranger = await signIn(app, rival.administratorId);
    const after = data?.auditEntries.pageInfo.endCursor;
    const all = (await entries())?.nodes.map(({ id }) => id);
    const foreign = await stranger.graph<{ auditEntries: { nodes: { id: string }[] } }>(byCursor, {
      after,
    });
    expect(foreign.data?.auditEntries.nodes.filter(({ id }) => all?.includes(id))).toEqual([]);
  });

  it('The entries are counted only if the total is selected', async () => {
    const watch = watchStatements();
    const { statements } = await watch.during(() =>
      admin.graph('{ auditEntries { nodes { id } } }'),
    );
    watch.stop();
    expect(statements.filter((text) => /audit_entries/.test(text) && /count/i.test(text))).toEqual(
      [],
    );
  });

  it('The entries have the current name of the target and the member whom the change concerns', async () => {
    const [added] = (await entries({ action: 'add-team-user' }))?.nodes ?? [];
    expect(added).toMatchObject({
      targetName: 'Audited',
      user: { id: added?.changes.find(({ field }) => field === 'userId')?.value },
    });
    expect(
      (await entries({ action: 'create-team', actorKeyId: owner.keyId }))?.nodes,
    ).toMatchObject([{ targetName: 'Audited', actorName: 'test', user: null }]);
    expect((await entries({ actorUserId: owner.administratorId }))?.nodes[0]).toMatchObject({
      actorName: `Ada ${owner.slug}`,
    });
  });

  it('A page far beyond the end is empty', async () => {
    expect((await entries({ page: Number.MAX_SAFE_INTEGER, pageSize: 100 }))?.nodes).toEqual([]);
  });

  it('The pages neither repeat nor lose an entry, and a page beyond the end is empty', async () => {
    const paged = await Promise.all([1, 2, 3].map((page) => entries({ page, pageSize: 3 })));
    expect(paged.map((page) => [page?.nodes.length, page?.totalCount])).toEqual([
      [3, 5],
      [2, 5],
      [0, 5],
    ]);
    expect(paged.flatMap((page) => page?.nodes)).toEqual((await entries())?.nodes);
  });

  it('Only signed-in administrators can query the entries, each those of their own organization', async () => {
    const { id } = await owner.member('reader@audit.example');
    expect((await (await signIn(app, id)).graph(query)).code).toBe('FORBIDDEN');
    expect((await app.graph(owner.key, query)).errors[0]?.extensions?.code).toBe('FORBIDDEN');
    const rival = await app.organization();
    expect(
      (
        await (
          await signIn(app, rival.administratorId)
        ).graph<EntriesResult>(query, { targetId: teamId })
      ).data?.auditEntries.totalCount,
    ).toBe(0);
  });

  it('The entries do not name a person who is no longer a member', async () => {
    const { id } = await owner.member('gone@audit.example');
    await app.database.prisma.membership.updateMany({
      where: { userId: id },
      data: { role: 'ADMIN' },
    });
    await (await signIn(app, id)).graph(
      'mutation { createTeam(input: { name: "Farewell" }) { team { id } } }',
    );
    await app.database.prisma.membership.deleteMany({ where: { userId: id } });
    const page = await admin.graph<EntriesResult>(query, { actorUserId: id });
    expect(page.data?.auditEntries.nodes).toMatchObject([
      { action: 'create-team', actorUser: null },
      { action: 'sign-in', actorUser: null },
    ]);
    expect(JSON.stringify(page)).not.toContain('gone@');
  });

  it('A page of many entries needs as many statements as a page of one', async () => {
    // The newest entry has every field: a sender and a member whom it concerns.
    await admin.graph(
      'mutation ($teamId: ID!, $userId: ID!) { addTeamUser(input: { teamId: $teamId, userId: $userId }) { userId } }',
      {
        teamId,
        userId: owner.administratorId,
      },
    );
    const watch = watchStatements();
    const one = await watch.during(() => admin.graph(query, { pageSize: 1 }));
    const many = await watch.during(() => admin.graph(query, { pageSize: 100 }));
    watch.stop();
    expect(many.statements).toHaveLength(one.statements.length);
  });

  it('The entry of a removal has the address that the removed member had then', async () => {
    const { id } = await owner.member('removed@audit.example');
    await owner.manage('DELETE', `/users/${id}`);
    expect((await entries({ action: 'remove-user' }))?.nodes).toMatchObject([
      {
        targetId: id,
        targetName: null,
        user: null,
        changes: expect.arrayContaining([
          { field: 'email', value: 'removed@audit.example', before: null },
        ]),
      },
    ]);
  });

  it('A change has the earlier value where the entry has one', async () => {
    await owner.manage('PATCH', `/teams/${teamId}`, { name: 'Renamed' });
    expect((await entries({ action: 'rename-team' }))?.nodes).toMatchObject([
      { changes: [{ field: 'name', value: 'Renamed', before: 'Audited' }] },
    ]);
  });
});
