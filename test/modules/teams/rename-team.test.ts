import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf } from '../../support/answers.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';

const renameTeam =
  'mutation ($teamId: ID!, $name: String!) { result: renameTeam(input: { teamId: $teamId, name: $name }) { team { id name } } }';

let app: TestApp;
let owner: TestOrganization;
beforeAll(async () => {
  app = await testApp();
  owner = await app.organization();
});
afterAll(() => app.close());

const createTeam = async (name: string) =>
  answerOf('createTeam', await owner.manage('POST', '/teams', { name })).team.id;
const rename = async (teamId: string, name: string) => {
  const { data, errors } = await app.graph(owner.key, renameTeam, { teamId, name });
  return { team: Object(data?.['result'])['team'], code: errors[0]?.extensions?.code };
};

describe('renameTeam', () => {
  it('A team can be renamed, including the default team and including a change of case only', async () => {
    const teamId = await createTeam('support');
    expect((await rename(teamId, 'Support')).team).toEqual({ id: teamId, name: 'Support' });
    expect((await rename(owner.defaultTeamId, 'All of us')).team).toEqual({
      id: owner.defaultTeamId,
      name: 'All of us',
    });
    expect(
      await app.database.prisma.auditEntry.findFirst({
        where: { targetId: teamId, action: 'rename-team' },
      }),
    ).toMatchObject({
      changes: { before: 'support', name: 'Support' },
    });
  });

  it('The name of another team is refused as a conflict, regardless of case', async () => {
    await createTeam('Taken');
    expect((await rename(await createTeam('Free'), 'TAKEN')).code).toBe('CONFLICT');
  });

  it('A team of another organization is not found', async () => {
    const rival = await app.organization();
    expect((await rename(rival.defaultTeamId, 'Ours')).code).toBe('NOT_FOUND');
  });
});
