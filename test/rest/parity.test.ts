import { type DocumentNode, execute, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf } from '../../src/rest/respond.ts';
import { schema } from '../../src/schema.ts';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';
import {
  AddTeamUserDocument,
  AddUserDocument,
  CreateTeamDocument,
  CreateUserDocument,
  DeleteTeamDocument,
  GetUserDocument,
  ListTeamsDocument,
  ListUsersDocument,
  RemoveTeamUserDocument,
  RemoveUserDocument,
} from '../support/generated/operations.ts';
import { watchStatements } from '../support/statements.ts';

let app: TestApp;
const watch = watchStatements();
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
});
afterAll(async () => {
  watch.stop();
  await app.close();
});

type Fixture = TestOrganization & { memberId: string; teamId: string };

/**
 * Two organizations that differ in nothing but ids, so that a write can be tried through each door.
 */
async function fixture(): Promise<Fixture> {
  const owner = await app.organization();
  const { id: memberId } = await owner.member(`member@parity-${owner.slug}.example`, {
    firstName: 'Mem',
    lastName: 'Ber',
  });
  const { id: teamId } = await app.database.prisma.team.create({
    data: { id: `team-${owner.id}`, organizationId: owner.id, name: 'Parity', nameKey: 'parity' },
  });
  return { ...owner, memberId, teamId };
}

type Row = {
  call: string;
  document: DocumentNode;
  statements: number;
  prepare?: (owner: Fixture) => Promise<unknown>;
  input: (owner: Fixture) => Record<string, unknown>;
};

const inTeam = (owner: Fixture) =>
  app.database.prisma.teamMembership.create({
    data: { teamId: owner.teamId, userId: owner.memberId, organizationId: owner.id },
  });

const rows: Row[] = [
  {
    call: 'GET /users',
    document: ListUsersDocument,
    statements: 1,
    input: () => ({ page: 1, pageSize: 10 }),
  },
  {
    call: 'GET /users/:userId',
    document: GetUserDocument,
    statements: 1,
    input: ({ memberId }) => ({ userId: memberId }),
  },
  // One of them finds out whether the call would tell of somebody's account, which is limited.
  {
    call: 'POST /users',
    document: CreateUserDocument,
    statements: 3,
    input: ({ slug }) => ({ email: `new@parity-${slug}.example`, firstName: 'New' }),
  },
  {
    call: 'POST /users/add',
    document: AddUserDocument,
    // Two more than a membership takes: an account whose address was never proven is reset, and its
    // person is told by mail.
    statements: 8,
    prepare: ({ slug }) =>
      app.database.prisma.user.create({
        data: { id: `add-${slug}`, email: `add@parity-${slug}.example` },
      }),
    input: ({ slug }) => ({ email: `add@parity-${slug}.example` }),
  },
  {
    call: 'DELETE /users/:userId',
    document: RemoveUserDocument,
    statements: 1,
    input: ({ memberId }) => ({ userId: memberId }),
  },
  { call: 'GET /teams', document: ListTeamsDocument, statements: 1, input: () => ({}) },
  {
    call: 'POST /teams',
    document: CreateTeamDocument,
    statements: 1,
    input: () => ({ name: 'Another' }),
  },
  {
    call: 'DELETE /teams/:teamId',
    document: DeleteTeamDocument,
    statements: 6,
    input: ({ teamId }) => ({ teamId }),
  },
  {
    call: 'POST /teams/:teamId/users',
    document: AddTeamUserDocument,
    statements: 2,
    input: ({ teamId, memberId }) => ({ teamId, userId: memberId }),
  },
  {
    call: 'DELETE /teams/:teamId/users/:userId',
    document: RemoveTeamUserDocument,
    statements: 1,
    prepare: inTeam,
    input: ({ teamId, memberId }) => ({ teamId, userId: memberId }),
  },
];

describe.each(rows)('$call', ({ call, document, statements, prepare, input }) => {
  const [method = '', template = ''] = call.split(' ');

  async function overRest(owner: Fixture) {
    const variables = input(owner);
    const path = template.replaceAll(/:(\w+)/g, (_, name: string) => String(variables[name]));
    const rest = Object.entries(variables).filter(([name]) => !template.includes(`:${name}`));
    const query =
      method === 'GET' && rest.length > 0
        ? `?${new URLSearchParams(rest.map(([name, value]) => [name, String(value)]))}`
        : '';
    return owner.manage(
      method,
      path + query,
      method === 'POST' ? Object.fromEntries(rest) : undefined,
    );
  }

  it('its REST body is the result of its operation over /graphql', async () => {
    const [one, other] = [await fixture(), await fixture()];
    for (const owner of [one, other]) await prepare?.(owner);
    const rest = await overRest(one);
    const graph = await app.graph(other.key, print(document), input(other));
    expect(graph.errors).toEqual([]);
    expect(rest.status).toBe(200);
    expect(plain(rest.body)).toEqual(plain(bodyOf({ status: 'success' }, graph.data ?? {})));
  });

  it(`takes ${statements} statements, compiled as well as by the ordinary executor`, async () => {
    const [one, other] = [await fixture(), await fixture()];
    for (const owner of [one, other]) await prepare?.(owner);
    const compiled = await watch.during(() => overRest(one));
    const viewer = {
      kind: 'ORGANIZATION_KEY' as const,
      keyId: other.keyId,
      organizationId: other.id,
      features: new Set(['userManagement']),
      limitPerMinute: null,
    };
    const ordinary = await watch.during(async () =>
      execute({
        schema,
        document,
        variableValues: input(other),
        contextValue: { ...app.contextParts, requestId: 'parity', viewer },
      }),
    );
    expect(ordinary.result.errors).toBeUndefined();
    expect(plain(compiled.result.body)).toEqual(
      plain(bodyOf({ status: 'success' }, ordinary.result.data ?? {})),
    );
    expect(compiled.statements).toHaveLength(statements);
    expect(ordinary.statements).toHaveLength(statements);
  });
});

/** The same shape and order of fields, without what must differ between two organizations. */
function plain(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replaceAll(/organization-\d+/g, 'organization')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
}
