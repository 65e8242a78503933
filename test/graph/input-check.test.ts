import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';
import { watchStatements } from '../support/statements.ts';

let app: TestApp;
let owner: TestOrganization;
const database = watchStatements();
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
  owner = await app.organization();
});
afterAll(async () => {
  database.stop();
  await app.close();
});

type Fault = { message: string; path: unknown; code: string };

async function faultsOf(query: string, variables: object = {}) {
  const { result, statements } = await database.during(() =>
    owner.call('POST', '/graphql', { query, variables }),
  );
  const faults = [result.body['errors'] ?? []].flat().map((error): Fault => {
    const { message, extensions } = Object(error);
    return { message, path: extensions.errors?.[0]?.path, code: extensions.errors?.[0]?.code };
  });
  return { faults, data: result.body['data'], statements: statements.length };
}

describe('variables of standard types', () => {
  it('A client declares String, ID and Int, and the texts arrive without blanks at their ends', async () => {
    const created = await faultsOf(
      'mutation ($name: String!) { createTeam(input: { name: $name }) { team { id name } } }',
      { name: '  Ada’s team  ' },
    );
    expect(created.faults).toEqual([]);
    const { team } = Object(created.data).createTeam;
    expect(team.name).toBe('Ada’s team');
    const read = await faultsOf(
      'query ($id: ID!, $size: Int!) { team(teamId: $id) { name users(pageSize: $size) { pageSize } } }',
      { id: team.id, size: 7 },
    );
    expect(read.data).toEqual({ team: { name: 'Ada’s team', users: { pageSize: 7 } } });
  });

  it.each([
    [
      'query ($size: Int!) { users(pageSize: $size) { totalCount } }',
      { size: 101 },
      ['pageSize'],
      'OUT_OF_RANGE',
      '$size must be an integer from 1 to 100',
    ],
    [
      'query ($size: Int!) { ...Users } fragment Users on Query { users(pageSize: $size) { totalCount } }',
      { size: 0 },
      ['pageSize'],
      'OUT_OF_RANGE',
      '$size must be an integer from 1 to 100',
    ],
    [
      'query ($size: Int!) { teams { nodes { users(pageSize: $size) { totalCount } } } }',
      { size: -5 },
      ['pageSize'],
      'OUT_OF_RANGE',
      '$size must be an integer from 1 to 100',
    ],
    [
      'mutation ($name: String!) { createTeam(input: { name: $name }) { team { id } } }',
      { name: '' },
      ['input', 'name'],
      'TOO_SHORT',
      '$name must be a string of 1 to 200 characters, but is empty',
    ],
    [
      'mutation ($input: CreateTeamInput!) { createTeam(input: $input) { team { id } } }',
      { input: { name: 'a\u0000' } },
      ['input', 'name'],
      'INVALID_CHARACTERS',
      '$input.name must not contain control characters',
    ],
    [
      'query ($id: ID!) { team(teamId: $id) { id } }',
      { id: 'a\u0000b' },
      ['teamId'],
      'INVALID_CHARACTERS',
      '$id must not contain control characters',
    ],
    [
      'query ($id: ID!) { team(teamId: $id) { id } }',
      { id: 7 },
      ['teamId'],
      'WRONG_TYPE',
      '$id must be a string, not a number',
    ],
  ])(
    '%s with %j is refused before any statement',
    async (query, variables, path, code, message) => {
      expect(await faultsOf(query, variables)).toEqual({
        faults: [{ message, path, code }],
        data: undefined,
        statements: 0,
      });
    },
  );

  it('A variable with two uses must satisfy the rules of both', async () => {
    const query =
      'query ($text: String) { users(search: $text) { totalCount } campaigns(search: $text) { totalCount } auditEntries(action: $text) { totalCount } }';
    expect((await faultsOf(query, { text: '' })).faults).toEqual([
      {
        message: '$text must be a string of 1 to 100 characters, but is empty',
        path: expect.anything(),
        code: 'TOO_SHORT',
      },
    ]);
  });
});

describe('literals', () => {
  it.each([
    [
      'mutation { createTeam(input: { name: "" }) { team { id } } }',
      ['input', 'name'],
      'TOO_SHORT',
    ],
    [
      'mutation { createCampaign(input: { name: "A", durationMonths: 7 }) { campaign { id } } }',
      ['input', 'durationMonths'],
      'OUT_OF_RANGE',
    ],
    [
      'mutation { createCampaign(input: { name: "A", durationMonths: 1, allowedEmailDomains: ["a.example", "-"] }) { campaign { id } } }',
      ['input', 'allowedEmailDomains', 1],
      'INVALID_FORMAT',
    ],
    ['{ team(teamId: 7) { id } }', ['teamId'], 'WRONG_TYPE'],
    [
      'query ($size: Int = 0) { users(pageSize: $size) { totalCount } }',
      ['pageSize'],
      'OUT_OF_RANGE',
    ],
  ])('%s is refused before any statement', async (query, path, code) => {
    const { faults, data, statements } = await faultsOf(query);
    expect(faults).toEqual([{ message: expect.any(String), path, code }]);
    expect({ data, statements }).toEqual({ data: undefined, statements: 0 });
  });

  it('A list of variables is checked when its field is resolved', async () => {
    const query =
      'mutation ($domain: String!) { createCampaign(input: { name: "A", durationMonths: 1, allowedEmailDomains: [$domain] }) { campaign { id } } }';
    const { faults, data } = await faultsOf(query, { domain: '-' });
    expect(data).toEqual({ createCampaign: null });
    expect(faults).toMatchObject([{ code: 'INVALID_FORMAT' }]);
  });
});
