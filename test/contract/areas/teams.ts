import type { Answer } from '../answer.ts';
import { idOf } from '../check-list.ts';
import { checkFaultyBodies, checkSameRefusal } from '../check-refusals.ts';
import { filledText, listOf } from '../matchers.ts';
import { checkShape } from '../report.ts';
import { team as teamShape } from '../shapes.ts';
import type { Suite } from '../suite.ts';

/** Teams: parts 2, 4.4 and 7, decisions D31, D32. */
export async function checkTeams(suite: Suite): Promise<void> {
  const { check, prefix, addCleanup, report, disposable } = suite;
  const api = suite.api('org-key', 'teams of User Management')?.under('/api/user-management/v1');
  if (!api) return;
  const person = await api.post('/users', { email: `${prefix}-team@contract.example` });
  const userId = person.textAt('user.id');
  addCleanup(() => api.delete(`/users/${userId}`));

  const name = `${prefix} Team`;
  const created = await api.post('/teams', { name: `  ${name} `, memberCount: 7, isDefault: true });
  const teamId = created.textAt('team.id');
  addCleanup(() => api.delete(`/teams/${teamId}`));
  check('D1 POST /teams answers 200', created, created.status, 200);
  checkShape(check, 'Part 2, POST /teams: the team', created, created.at('team'), teamShape);
  check('D9 POST /teams trims the name', created, created.at('team.name'), name);
  check(
    'Part 2, POST /teams: memberCount of a new team is 0',
    created,
    created.at('team.memberCount'),
    0,
  );
  check(
    'Part 2, POST /teams: a new team is not the default team',
    created,
    created.at('team.isDefault'),
    false,
  );

  for (const [description, takenName] of [
    ['the same name', name],
    ['the name in upper case', name.toUpperCase()],
    ['the name with spaces around it', ` ${name} `],
  ] as const) {
    const refused = await api.post('/teams', { name: takenName });
    check(`D32 POST /teams: ${description} is 409`, refused, refused.status, 409);
  }
  const remove = (accepted: Answer) => api.delete(`/teams/${accepted.at('team.id')}`);
  await checkFaultyBodies(
    check,
    { name: 'POST /teams', api, method: 'POST', path: '/teams', undo: remove },
    [
      ['no name', {}, 'name'],
      ['a name that is null', { name: null }, 'name'],
      ['a name that is a number', { name: 3 }, 'name'],
      ['an empty name', { name: '' }, 'name'],
      ['a name of spaces', { name: '   ' }, 'name'],
      ['a name with a control character', { name: 'a\u0000b' }, 'name'],
      ['a name with a bidirectional override', { name: 'a\u202eb' }, 'name'],
      ['a name without a visible character', { name: '\u200b' }, 'name'],
    ],
  );

  const list = await api.get('/teams');
  check('D1 GET /teams answers 200', list, list.status, 200);
  for (const [field, matcher] of Object.entries(teamShape))
    check(
      `Part 2, GET /teams: each team has ${field}, ${matcher.words}`,
      list,
      list.listAt('teams').map((team) => Object(team)[field]),
      listOf(matcher),
    );
  const defaults = list.listAt('teams').filter((team) => Object(team).isDefault === true);
  check('Part 2, GET /teams: exactly one team is the default team', list, defaults.length, 1);
  check(
    '4.4 GET /teams has the new team',
    list,
    list.listAt('teams').map(idOf).includes(teamId),
    true,
  );
  check('D7 GET /teams: the newest team comes first', list, idOf(list.listAt('teams')[0]), teamId);
  check(
    'D30 a new user is in the default team',
    person,
    person.at('user.teams.0.id'),
    idOf(defaults[0]),
  );

  const joined = await api.post(`/teams/${teamId}/users`, { userId });
  check('D1 POST /teams/:teamId/users answers 200', joined, joined.status, 200);
  check('D31 POST /teams/:teamId/users: success is true', joined, joined.at('success'), true);
  check('D31 POST /teams/:teamId/users returns userId', joined, joined.at('userId'), userId);
  checkShape(
    check,
    'D31 POST /teams/:teamId/users: the team',
    joined,
    joined.at('team'),
    teamShape,
  );
  check(
    'D31 POST /teams/:teamId/users: memberCount is 1 more',
    joined,
    joined.at('team.memberCount'),
    1,
  );
  const twice = await api.post(`/teams/${teamId}/users`, { userId });
  check('D32 POST /teams/:teamId/users: a member of the team is 409', twice, twice.status, 409);
  const member = await api.get(`/users/${userId}`);
  check(
    'Part 2, GET /users/:userId returns the team',
    member,
    member.listAt('user.teams').some((team) => idOf(team) === teamId && Object(team).name === name),
    true,
  );
  check(
    'Part 2, GET /users/:userId returns both teams',
    member,
    member.listAt('user.teams').length,
    2,
  );

  const unknownUser = await api.post(`/teams/${teamId}/users`, { userId: 'unknown' });
  check(
    'D31 POST /teams/:teamId/users: an unknown user is 404',
    unknownUser,
    unknownUser.status,
    404,
  );
  const unknownTeam = await api.post('/teams/unknown/users', { userId });
  check(
    'D31 POST /teams/:teamId/users: an unknown team is 404',
    unknownTeam,
    unknownTeam.status,
    404,
  );
  const order = await api.post('/teams/unknown/users', { userId: 3 });
  check('D2 POST /teams/:teamId/users: 400 comes before 404', order, order.status, 400);
  await checkFaultyBodies(
    check,
    { name: 'POST /teams/:teamId/users', api, method: 'POST', path: `/teams/${teamId}/users` },
    [
      ['no userId', {}, 'userId'],
      ['a userId that is null', { userId: null }, 'userId'],
      ['a userId that is a number', { userId: 3 }, 'userId'],
      ['a userId that is an object', { userId: { id: userId } }, 'userId'],
    ],
  );

  const removedMembership = await api.delete(`/teams/${teamId}/users/${userId}`);
  check(
    'D1 DELETE /teams/:teamId/users/:userId answers 200',
    removedMembership,
    removedMembership.status,
    200,
  );
  check(
    'D31 DELETE /teams/:teamId/users/:userId returns the documented body',
    removedMembership,
    removedMembership.body,
    {
      status: 'success',
      success: true,
      teamId,
      userId,
    },
  );
  for (const [description, path] of [
    ['a membership that ended', `/teams/${teamId}/users/${userId}`],
    ['an unknown user', `/teams/${teamId}/users/unknown`],
    ['an unknown team', `/teams/unknown/users/${userId}`],
  ] as const) {
    const refused = await api.delete(path);
    check(
      `D31 DELETE /teams/:teamId/users/:userId: ${description} is 404`,
      refused,
      refused.status,
      404,
    );
  }

  await checkForeignTeams(suite, { teamId, userId });

  await api.post(`/teams/${teamId}/users`, { userId });
  const removed = await api.delete(`/teams/${teamId}`);
  check('D1 DELETE /teams/:teamId answers 200', removed, removed.status, 200);
  check('D31 DELETE /teams/:teamId returns the documented body', removed, removed.body, {
    status: 'success',
    success: true,
    teamId,
  });
  const afterwards = await api.get(`/users/${userId}`);
  check(
    '4.4 DELETE /teams/:teamId removes the users from the team first',
    afterwards,
    afterwards.listAt('user.teams').map(idOf).includes(teamId),
    false,
  );
  check(
    '4.4 DELETE /teams/:teamId leaves the users in the organization',
    afterwards,
    afterwards.status,
    200,
  );
  const secondDeletion = await api.delete(`/teams/${teamId}`);
  check('Part 7 DELETE /teams/:teamId twice: 404', secondDeletion, secondDeletion.status, 404);
  const reused = await api.post('/teams', { name });
  const reusedId = reused.textAt('team.id');
  addCleanup(() => api.delete(`/teams/${reusedId}`));
  check(
    'Part 2, POST /teams: the name of a deleted team can be used again',
    reused,
    reused.at('team.name'),
    name,
  );

  if (disposable) {
    const refusedDeletion = await api.delete(`/teams/${idOf(defaults[0])}`);
    check(
      'D31 DELETE /teams/:teamId: the default team is 403',
      refusedDeletion,
      refusedDeletion.status,
      403,
    );
    check(
      'D31 DELETE /teams/:teamId: the 403 gives the reason',
      refusedDeletion,
      refusedDeletion.at('message'),
      filledText,
    );
  } else report.skipped.set('that the default team cannot be deleted', '--disposable is not given');
}

async function checkForeignTeams(
  suite: Suite,
  { teamId, userId }: { teamId: string; userId: string },
): Promise<void> {
  const { check } = suite;
  const other = suite
    .api('other-org-key', 'teams of another organization')
    ?.under('/api/user-management/v1');
  if (!other) return;
  const list = await other.get('/teams');
  check(
    'D3 GET /teams does not list teams of another organization',
    list,
    list.listAt('teams').map(idOf).includes(teamId),
    false,
  );
  checkSameRefusal(
    check,
    'D3 DELETE /teams/:teamId of another organization',
    await other.delete(`/teams/${teamId}`),
    await other.delete('/teams/unknown'),
  );
  checkSameRefusal(
    check,
    'D3 POST /teams/:teamId/users in a team of another organization',
    await other.post(`/teams/${teamId}/users`, { userId }),
    await other.post('/teams/unknown/users', { userId }),
  );
  checkSameRefusal(
    check,
    'D3 DELETE /teams/:teamId/users/:userId in a team of another organization',
    await other.delete(`/teams/${teamId}/users/${userId}`),
    await other.delete(`/teams/unknown/users/${userId}`),
  );
}
