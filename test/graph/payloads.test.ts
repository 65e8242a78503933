import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';
import { assistantOf, personIn, share } from '../support/assistants.ts';

let app: TestApp;
let owner: TestOrganization;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000', USER_KEY_LIMIT: '100000' });
  owner = await app.organization();
});
afterAll(() => app.close());

describe('the objects of a payload', () => {
  it('Adding and removing a team user answers the team and the user as they are afterwards', async () => {
    const { id: userId } = await owner.member('payload@team.example');
    const created = await app.graph(
      owner.key,
      'mutation { createTeam(input: { name: "Payloads" }) { team { id memberCount } } }',
    );
    const { id: teamId } = Object(Object(created.data?.['createTeam'])['team']);
    const fields = '{ success team { id memberCount } user { id teams { name } } userId }';
    const { data, errors } = await app.graph(
      owner.key,
      `mutation ($teamId: ID!, $userId: ID!) {
        added: addTeamUser(input: { teamId: $teamId, userId: $userId }) ${fields}
        removed: removeTeamUser(input: { teamId: $teamId, userId: $userId }) ${fields}
      }`,
      { teamId, userId },
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({
      added: {
        success: true,
        team: { id: teamId, memberCount: 1 },
        user: { id: userId, teams: expect.arrayContaining([{ name: 'Payloads' }]) },
        userId,
      },
      removed: {
        success: true,
        team: { id: teamId, memberCount: 0 },
        user: { id: userId, teams: expect.not.arrayContaining([{ name: 'Payloads' }]) },
        userId,
      },
    });
  });

  it('An object that can no longer be read is null with an error, and the rest of the payload stays', async () => {
    const [ada, emil] = [await personIn(app, owner), await personIn(app, owner)];
    const assistantId = await assistantOf(ada);
    await share(ada, assistantId, 'OWNER', { userId: emil.id });
    const { data, errors } = await ada.graph(
      `mutation ($assistantId: ID!, $userId: ID) {
        unshareAssistant(input: { assistantId: $assistantId, userId: $userId }) { assistantId assistant { name } }
      }`,
      { assistantId, userId: ada.id },
    );
    expect(data).toEqual({ unshareAssistant: { assistantId, assistant: null } });
    expect(errors).toMatchObject([
      { path: ['unshareAssistant', 'assistant'], extensions: { code: 'FORBIDDEN' } },
    ]);
    expect((await share(emil, assistantId, 'OWNER', {})).errors).toEqual([]);
  });
});
