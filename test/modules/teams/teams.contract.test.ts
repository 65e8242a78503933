import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf } from '../../support/answers.ts';
import { type TestApp, type TestResponse, testApp } from '../../support/app.ts';
import { textWithoutRequestId } from '../../support/refusal-body.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '10000' });
});
afterAll(() => app.close());

const errorBody = { status: 'error', message: expect.any(String) };
const idOf = (answer: TestResponse) => answerOf('createTeam', answer).team.id;

describe('GET /teams', () => {
  it('GET /teams lists every team with all its fields, newest first', async () => {
    const owner = await app.organization();
    const created = await owner.manage('POST', '/teams', { name: 'Support' });
    const { status, body } = await owner.manage('GET', '/teams');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      teams: [
        { id: idOf(created), name: 'Support', isDefault: false, memberCount: 0 },
        { id: owner.defaultTeamId, name: expect.any(String), isDefault: true, memberCount: 1 },
      ],
    });
  });

  it('The member count of a team follows users who are added and removed', async () => {
    const owner = await app.organization();
    const teamId = idOf(await owner.manage('POST', '/teams', { name: 'Counted' }));
    const members = await Promise.all(
      ['a', 'b', 'c'].map((name) => owner.member(`${name}@counted${owner.id}.example`)),
    );
    for (const { id } of members)
      await owner.manage('POST', `/teams/${teamId}/users`, { userId: id });
    await owner.manage('DELETE', `/teams/${teamId}/users/${members[0]?.id}`);
    await owner.manage('DELETE', `/users/${members[1]?.id}`);
    const { teams } = answerOf('listTeams', await owner.manage('GET', '/teams'));
    expect(teams.map(({ memberCount }) => memberCount)).toEqual([1, 3]);
  });
});

describe('POST /teams', () => {
  it('POST /teams creates an empty team that is not the default team', async () => {
    const owner = await app.organization();
    const { status, body } = await owner.manage('POST', '/teams', { name: '  Sales  ' });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        team: { id: expect.any(String), name: 'Sales', isDefault: false, memberCount: 0 },
      },
    });
  });

  it('A team name that is taken answers 409, regardless of case and Unicode composition (D32)', async () => {
    const owner = await app.organization();
    await owner.manage('POST', '/teams', { name: 'Café Crew' });
    for (const name of ['café crew', 'CAFÉ CREW', ' Café Crew ', 'Cafe\u0301 crew']) {
      expect(await owner.manage('POST', '/teams', { name })).toMatchObject({
        status: 409,
        body: errorBody,
      });
    }
    expect((await owner.manage('GET', '/teams')).body['teams']).toHaveLength(2);
  });

  it('Two organizations can have teams with the same name', async () => {
    const [first, second] = [await app.organization(), await app.organization()];
    expect((await first.manage('POST', '/teams', { name: 'Same' })).status).toBe(200);
    expect((await second.manage('POST', '/teams', { name: 'Same' })).status).toBe(200);
  });

  it('Twenty concurrent requests with the same name create one team', async () => {
    const owner = await app.organization();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => owner.manage('POST', '/teams', { name: 'Race' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ]);
  });

  it('A team name has 1 to 200 code points after trimming (D9)', async () => {
    const owner = await app.organization();
    expect((await owner.manage('POST', '/teams', { name: '😀'.repeat(200) })).status).toBe(200);
    for (const name of ['', '   ', 'x'.repeat(201), 'line\nbreak']) {
      expect(await owner.manage('POST', '/teams', { name })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('name') },
      });
    }
  });
});

describe('DELETE /teams/:teamId', () => {
  it('Deleting a team removes its members from it but not from the organization (D31)', async () => {
    const owner = await app.organization();
    const teamId = idOf(await owner.manage('POST', '/teams', { name: 'Gone soon' }));
    await owner.manage('POST', `/teams/${teamId}/users`, { userId: owner.administratorId });
    const { status, body } = await owner.manage('DELETE', `/teams/${teamId}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'success', success: true, teamId },
    });
    expect((await owner.manage('GET', '/teams')).body['teams']).toHaveLength(1);
    const administrator = await owner.manage('GET', `/users/${owner.administratorId}`);
    expect(answerOf('getUser', administrator).user.teams).toHaveLength(1);
    expect(await owner.manage('DELETE', `/teams/${teamId}`)).toMatchObject({
      status: 404,
      body: errorBody,
    });
  });

  it('Deleting the default team answers 403 and changes nothing (D31)', async () => {
    const owner = await app.organization();
    expect(await owner.manage('DELETE', `/teams/${owner.defaultTeamId}`)).toMatchObject({
      status: 403,
      body: errorBody,
    });
    expect((await owner.manage('GET', '/teams')).body['teams']).toMatchObject([
      { id: owner.defaultTeamId, memberCount: 1 },
    ]);
  });

  it('Deleting a team of another organization answers 404 and changes nothing (D3)', async () => {
    const [owner, otherOrganization] = [await app.organization(), await app.organization()];
    const foreignTeamId = idOf(
      await otherOrganization.manage('POST', '/teams', { name: 'Theirs' }),
    );
    const foreign = await owner.manage('DELETE', `/teams/${foreignTeamId}`);
    expect(foreign).toMatchObject({ status: 404, body: errorBody });
    expect(textWithoutRequestId(foreign)).toBe(
      textWithoutRequestId(await owner.manage('DELETE', '/teams/unknown')),
    );
    expect((await otherOrganization.manage('GET', '/teams')).body['teams']).toHaveLength(2);
  });
});

describe('POST /teams/:teamId/users', () => {
  it('Adding a user to a team answers with the team and the user id (D31)', async () => {
    const owner = await app.organization();
    const teamId = idOf(await owner.manage('POST', '/teams', { name: 'Join me' }));
    const { status, body } = await owner.manage('POST', `/teams/${teamId}/users`, {
      userId: owner.administratorId,
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'success',
        success: true,
        team: { id: teamId, name: 'Join me', isDefault: false, memberCount: 1 },
        userId: owner.administratorId,
      },
    });
  });

  it('Adding a user who is already in the team answers 409, even with twenty concurrent requests (D32)', async () => {
    const owner = await app.organization();
    const teamId = idOf(await owner.manage('POST', '/teams', { name: 'Once' }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        owner.manage('POST', `/teams/${teamId}/users`, { userId: owner.administratorId }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ]);
  });

  it('Adding a user answers 404 if the team or the user is unknown or of another organization, and adds nobody (D31)', async () => {
    const [owner, otherOrganization] = [await app.organization(), await app.organization()];
    const ownTeamId = idOf(await owner.manage('POST', '/teams', { name: 'Mine' }));
    const foreignTeamId = idOf(
      await otherOrganization.manage('POST', '/teams', { name: 'Theirs' }),
    );
    for (const [teamId, userId] of [
      [foreignTeamId, owner.administratorId],
      [ownTeamId, otherOrganization.administratorId],
      ['unknown', owner.administratorId],
      [ownTeamId, 'unknown'],
    ]) {
      expect(await owner.manage('POST', `/teams/${teamId}/users`, { userId })).toMatchObject({
        status: 404,
        body: errorBody,
      });
    }
    expect(
      await app.database.prisma.teamMembership.count({
        where: { teamId: { in: [ownTeamId, foreignTeamId] } },
      }),
    ).toBe(0);
  });
});

describe('DELETE /teams/:teamId/users/:userId', () => {
  it('Removing a user from a team answers with both ids, and the person stays a member of the organization (D31)', async () => {
    const owner = await app.organization();
    const teamId = idOf(await owner.manage('POST', '/teams', { name: 'Leave me' }));
    await owner.manage('POST', `/teams/${teamId}/users`, { userId: owner.administratorId });
    const { status, body } = await owner.manage(
      'DELETE',
      `/teams/${teamId}/users/${owner.administratorId}`,
    );
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'success', success: true, teamId, userId: owner.administratorId },
    });
    expect((await owner.manage('GET', `/users/${owner.administratorId}`)).status).toBe(200);
  });

  it('Removing a user from a team answers 404 if the team, the user or the team membership is unknown (D31)', async () => {
    const [owner, otherOrganization] = [await app.organization(), await app.organization()];
    const teamId = idOf(await owner.manage('POST', '/teams', { name: 'Nobody' }));
    for (const path of [
      `/teams/${teamId}/users/${owner.administratorId}`,
      `/teams/${teamId}/users/unknown`,
      `/teams/unknown/users/${owner.administratorId}`,
      `/teams/${otherOrganization.defaultTeamId}/users/${otherOrganization.administratorId}`,
    ]) {
      expect(await owner.manage('DELETE', path)).toMatchObject({ status: 404, body: errorBody });
    }
    expect((await otherOrganization.manage('GET', '/teams')).body['teams']).toMatchObject([
      { memberCount: 1 },
    ]);
  });
});
