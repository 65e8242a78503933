import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { textWithoutRequestId } from '../../support/refusal-body.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '10000' });
});
afterAll(() => app.close());

const errorBody = { status: 'error', message: expect.any(String) };
const idOf = (body: Record<string, unknown>) => (body['team'] as { id: string }).id;

describe('GET /teams', () => {
  it('answers every team with its fields, newest first', async () => {
    const owner = await app.organization();
    const made = await owner.manage('POST', '/teams', { name: 'Support' });
    const { status, body } = await owner.manage('GET', '/teams');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      teams: [
        { id: idOf(made.body), name: 'Support', isDefault: false, memberCount: 0 },
        { id: owner.defaultTeamId, name: expect.any(String), isDefault: true, memberCount: 1 },
      ],
    });
  });

  it('counts the members of each team as they come and go', async () => {
    const owner = await app.organization();
    const teamId = idOf((await owner.manage('POST', '/teams', { name: 'Counted' })).body);
    const members = await Promise.all(
      ['a', 'b', 'c'].map((name) => owner.member(`${name}@counted${owner.id}.example`)),
    );
    for (const { id } of members)
      await owner.manage('POST', `/teams/${teamId}/users`, { userId: id });
    await owner.manage('DELETE', `/teams/${teamId}/users/${members[0]?.id}`);
    await owner.manage('DELETE', `/users/${members[1]?.id}`);
    const { body } = await owner.manage('GET', '/teams');
    expect(
      (body['teams'] as { memberCount: number }[]).map(({ memberCount }) => memberCount),
    ).toEqual([1, 3]);
  });
});

describe('POST /teams', () => {
  it('makes an empty team that is not the default one', async () => {
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

  it('D32: a name that is taken, whatever its case or composition, is 409', async () => {
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

  it('the name of a team in another organization is free', async () => {
    const [first, second] = [await app.organization(), await app.organization()];
    expect((await first.manage('POST', '/teams', { name: 'Same' })).status).toBe(200);
    expect((await second.manage('POST', '/teams', { name: 'Same' })).status).toBe(200);
  });

  it('the same name twenty times at once makes one team', async () => {
    const owner = await app.organization();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => owner.manage('POST', '/teams', { name: 'Race' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ]);
  });

  it('D9: a name has 1 to 200 code points after trimming', async () => {
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
  it('D31: takes everybody out and deletes the team; the people stay', async () => {
    const owner = await app.organization();
    const teamId = idOf((await owner.manage('POST', '/teams', { name: 'Gone soon' })).body);
    await owner.manage('POST', `/teams/${teamId}/users`, { userId: owner.administratorId });
    const { status, body } = await owner.manage('DELETE', `/teams/${teamId}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'success', success: true, teamId },
    });
    expect((await owner.manage('GET', '/teams')).body['teams']).toHaveLength(1);
    expect(
      (
        (await owner.manage('GET', `/users/${owner.administratorId}`)).body['user'] as {
          teams: unknown[];
        }
      ).teams,
    ).toHaveLength(1);
    expect(await owner.manage('DELETE', `/teams/${teamId}`)).toMatchObject({
      status: 404,
      body: errorBody,
    });
  });

  it('D31: the default team can not be deleted: 403, and stays', async () => {
    const owner = await app.organization();
    expect(await owner.manage('DELETE', `/teams/${owner.defaultTeamId}`)).toMatchObject({
      status: 403,
      body: errorBody,
    });
    expect((await owner.manage('GET', '/teams')).body['teams']).toMatchObject([
      { id: owner.defaultTeamId, memberCount: 1 },
    ]);
  });

  it('D3: a team of another organization is not found and stays', async () => {
    const [owner, stranger] = [await app.organization(), await app.organization()];
    const theirs = idOf((await stranger.manage('POST', '/teams', { name: 'Theirs' })).body);
    const foreign = await owner.manage('DELETE', `/teams/${theirs}`);
    expect(foreign).toMatchObject({ status: 404, body: errorBody });
    expect(textWithoutRequestId(foreign)).toBe(
      textWithoutRequestId(await owner.manage('DELETE', '/teams/unknown')),
    );
    expect((await stranger.manage('GET', '/teams')).body['teams']).toHaveLength(2);
  });
});

describe('POST /teams/:teamId/users', () => {
  it('D31: answers the team and the user', async () => {
    const owner = await app.organization();
    const teamId = idOf((await owner.manage('POST', '/teams', { name: 'Join me' })).body);
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

  it('D32: a user who is in the team already is 409, also twenty times at once', async () => {
    const owner = await app.organization();
    const teamId = idOf((await owner.manage('POST', '/teams', { name: 'Once' })).body);
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

  it('D31: 404 for an unknown or foreign team or user, and nobody joins', async () => {
    const [owner, stranger] = [await app.organization(), await app.organization()];
    const mine = idOf((await owner.manage('POST', '/teams', { name: 'Mine' })).body);
    const theirs = idOf((await stranger.manage('POST', '/teams', { name: 'Theirs' })).body);
    for (const [teamId, userId] of [
      [theirs, owner.administratorId],
      [mine, stranger.administratorId],
      ['unknown', owner.administratorId],
      [mine, 'unknown'],
    ]) {
      expect(await owner.manage('POST', `/teams/${teamId}/users`, { userId })).toMatchObject({
        status: 404,
        body: errorBody,
      });
    }
    expect(
      await app.database.prisma.teamMembership.count({ where: { teamId: { in: [mine, theirs] } } }),
    ).toBe(0);
  });
});

describe('DELETE /teams/:teamId/users/:userId', () => {
  it('D31: answers both ids; the person stays a member of the organization', async () => {
    const owner = await app.organization();
    const teamId = idOf((await owner.manage('POST', '/teams', { name: 'Leave me' })).body);
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

  it('D31: 404 where team, user or membership is unknown', async () => {
    const [owner, stranger] = [await app.organization(), await app.organization()];
    const teamId = idOf((await owner.manage('POST', '/teams', { name: 'Nobody' })).body);
    for (const path of [
      `/teams/${teamId}/users/${owner.administratorId}`,
      `/teams/${teamId}/users/unknown`,
      `/teams/unknown/users/${owner.administratorId}`,
      `/teams/${stranger.defaultTeamId}/users/${stranger.administratorId}`,
    ]) {
      expect(await owner.manage('DELETE', path)).toMatchObject({ status: 404, body: errorBody });
    }
    expect((await stranger.manage('GET', '/teams')).body['teams']).toMatchObject([
      { memberCount: 1 },
    ]);
  });
});
