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

type ParityFixture = TestOrganization & { memberId: string; teamId: string };

/**
 * Creates an organization. All of them are equal except for ids, so that one can be changed over
 * REST and another over GraphQL.
 */
async function createFixture(): Promise<ParityFixture> {
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

type ParityCase = {
  call: string;
  document: DocumentNode;
  statements: number;
  prepare?: (owner: ParityFixture) => Promise<unknown>;
  input: (owner: ParityFixture) => Record<string, unknown>;
};

const inTeam = (owner: ParityFixture) =>
  app.database.prisma.teamMembership.create({
    data: { teamId: owner.teamId, userId: owner.memberId, organizationId: owner.id },
  });

const cases: ParityCase[] = [
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
  // One statement checks the limit of calls that reveal whether an address has an account.
  {
    call: 'POST /users',
    document: CreateUserDocument,
    statements: 3,
    input: ({ slug }) => ({ email: `new@parity-${slug}.example`, firstName: 'New' }),
  },
  {
    call: 'POST /users/add',
    document: AddUserDocument,
    // Two statements more than for a membership: the account of an unverified address is reset, and
    // the person is informed by mail.
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

describe.each(cases)('$call', ({ call, document, statements, prepare, input }) => {
  const [method = '', template = ''] = call.split(' ');

  async function callRest(owner: ParityFixture) {
    const variables = input(owner);
    const path = template.replaceAll(/:(\w+)/g, (_, name: string) => String(variables[name]));
    const bodyFields = Object.entries(variables).filter(([name]) => !template.includes(`:${name}`));
    const query =
      method === 'GET' && bodyFields.length > 0
        ? `?${new URLSearchParams(bodyFields.map(([name, value]) => [name, String(value)]))}`
        : '';
    return owner.manage(
      method,
      path + query,
      method === 'POST' ? Object.fromEntries(bodyFields) : undefined,
    );
  }

  it('The REST body equals the result of the operation over /graphql', async () => {
    const [restOwner, graphOwner] = [await createFixture(), await createFixture()];
    for (const owner of [restOwner, graphOwner]) await prepare?.(owner);
    const restAnswer = await callRest(restOwner);
    const graph = await app.graph(graphOwner.key, print(document), input(graphOwner));
    expect(graph.errors).toEqual([]);
    expect(restAnswer.status).toBe(200);
    expect(withoutIds(restAnswer.body)).toEqual(
      withoutIds(bodyOf({ status: 'success' }, graph.data ?? {})),
    );
  });

  it(`The call needs ${statements} statements, with the compiled and with the ordinary executor`, async () => {
    const [restOwner, graphOwner] = [await createFixture(), await createFixture()];
    for (const owner of [restOwner, graphOwner]) await prepare?.(owner);
    const compiled = await watch.during(() => callRest(restOwner));
    const viewer = {
      kind: 'ORGANIZATION_KEY' as const,
      keyId: graphOwner.keyId,
      organizationId: graphOwner.id,
      features: new Set(['userManagement']),
      limitPerMinute: null,
    };
    const interpreted = await watch.during(async () =>
      execute({
        schema,
        document,
        variableValues: input(graphOwner),
        contextValue: { ...app.contextParts, requestId: 'parity', viewer },
      }),
    );
    expect(interpreted.result.errors).toBeUndefined();
    expect(withoutIds(compiled.result.body)).toEqual(
      withoutIds(bodyOf({ status: 'success' }, interpreted.result.data ?? {})),
    );
    expect(compiled.statements).toHaveLength(statements);
    expect(interpreted.statements).toHaveLength(statements);
  });
});

/**
 * Serializes the value without ids, names and times, which differ between two organizations. Shape
 * and order of fields stay.
 */
function withoutIds(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replaceAll(/organization-\d+/g, 'organization')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
}
