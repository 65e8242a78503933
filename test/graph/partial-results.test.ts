import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';

let app: TestApp;
let owner: TestOrganization;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
  owner = await app.organization();
});
afterAll(() => app.close());

const createTwoTeams = `mutation ($first: String!, $second: String!) {
  a: createTeam(input: { name: $first }) { team { name } }
  b: createTeam(input: { name: $second }) { team { name } }
}`;

describe('an operation of which one root field fails', () => {
  it('A completed write is shown although the next one failed', async () => {
    const { data, errors, answer } = await app.graph(owner.key, createTwoTeams, {
      first: 'new',
      second: 'Everyone',
    });
    expect(answer.status).toBe(200);
    expect(data).toEqual({ a: { team: { name: 'new' } }, b: null });
    expect(errors).toMatchObject([{ path: ['b'], extensions: { code: 'CONFLICT' } }]);
  });

  it('A write that follows a failed one is completed and shown', async () => {
    const { data, errors } = await app.graph(owner.key, createTwoTeams, {
      first: 'Everyone',
      second: 'newer',
    });
    expect(data).toEqual({ a: null, b: { team: { name: 'newer' } } });
    expect(errors).toMatchObject([{ path: ['a'], extensions: { code: 'CONFLICT' } }]);
  });

  it('The other root fields of a query are answered, also once the query is compiled', async () => {
    const created = await app.graph(
      owner.key,
      'mutation { result: createCampaign(input: { name: "Spring", durationMonths: 3 }) { campaign { id } } }',
    );
    const { id } = Object(Object(created.data?.['result'])['campaign']);
    const query = `query ($known: ID!, $unknown: ID!) {
      known: campaign(campaignId: $known) { name }
      unknown: campaign(campaignId: $unknown) { name }
    }`;
    for (let round = 0; round < 8; round += 1) {
      const { data, errors } = await app.graph(owner.key, query, { known: id, unknown: 'unknown' });
      expect(data).toEqual({ known: { name: 'Spring' }, unknown: null });
      expect(errors).toMatchObject([{ path: ['unknown'], extensions: { code: 'NOT_FOUND' } }]);
    }
  });

  it('An object of a payload that cannot be read hides neither the rest of the payload nor other writes', async () => {
    const { id: userId } = await owner.member('partial@result.example');
    const { data, errors } = await app.graph(
      owner.key,
      `mutation ($userId: ID!, $teamId: ID!) {
        removeTeamUser(input: { teamId: $teamId, userId: $userId }) { success team { name } user { id } }
        removeUser(input: { userId: $userId }) { removedUserId }
      }`,
      { userId, teamId: owner.defaultTeamId },
    );
    expect(errors).toEqual([]);
    expect(data).toMatchObject({
      removeTeamUser: { success: true, user: { id: userId } },
      removeUser: { removedUserId: userId },
    });
  });

  it('A mutation repeats the clientMutationId of its input', async () => {
    const { data } = await app.graph(
      owner.key,
      `mutation {
        a: createTeam(input: { name: "With id", clientMutationId: "one" }) { clientMutationId }
        b: createTeam(input: { name: "Without id" }) { clientMutationId }
      }`,
    );
    expect(data).toEqual({ a: { clientMutationId: 'one' }, b: { clientMutationId: null } });
  });
});
