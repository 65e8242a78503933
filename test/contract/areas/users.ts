import type { Answer } from '../answer.ts';
import { checkList, idOf } from '../check-list.ts';
import { checkFaultyBodies, checkSameRefusal, type FaultyBody } from '../check-refusals.ts';
import { filledText, hasItem, not } from '../matchers.ts';
import { checkShape } from '../report.ts';
import { user as userShape } from '../shapes.ts';
import type { Suite } from '../suite.ts';

/** Users: parts 2, 4.4 and 7, decisions D30, D32, D33, D44. */
export async function checkUsers(suite: Suite): Promise<void> {
  const { check, prefix, addCleanup, report, disposable } = suite;
  const api = suite.api('org-key', 'users of User Management')?.under('/api/user-management/v1');
  if (!api) return;
  report.leftBehind.push(
    `accounts of ${prefix}-…@contract.example without a membership: the contract has no call that deletes an account`,
  );
  const address = (number: number) => `${prefix}-${number}@contract.example`;
  const createdIds: string[] = [];
  addCleanup(() => Promise.all(createdIds.map((id) => api.delete(`/users/${id}`))));

  const ada = {
    email: address(1),
    firstName: '  Ada%_\\  ',
    lastName: 'Contract',
    unknown: { nested: true },
  };
  const created = await api.post('/users', ada);
  const id = created.textAt('user.id');
  createdIds.push(id);
  check('D1 POST /users answers 200, creation included', created, created.status, 200);
  check(
    'D30 POST /users: isNewUser is true for a new account',
    created,
    created.at('isNewUser'),
    true,
  );
  check('D6 POST /users ignores unknown fields', created, created.at('user.unknown'), undefined);
  checkShape(check, 'Part 2, POST /users: the user', created, created.at('user'), userShape);
  check('D30 POST /users keeps the address', created, created.at('user.email'), ada.email);
  check('D9 POST /users trims names', created, created.at('user.firstName'), 'Ada%_\\');
  check(
    'D30 POST /users: a new user is not an administrator',
    created,
    created.at('user.isAdmin'),
    false,
  );
  check(
    'D30 POST /users: lastLogin is null before the first sign-in',
    created,
    created.at('user.lastLogin'),
    null,
  );
  check(
    'D30 POST /users: a new user is in one team, the default team',
    created,
    created.listAt('user.teams').length,
    1,
  );
  check(
    'D9 POST /users: createdAt is now',
    created,
    Math.abs(Date.parse(created.textAt('user.createdAt')) - Date.now()) < 300_000,
    true,
  );

  const withoutNames = await api.post('/users', { email: address(2).toUpperCase() });
  createdIds.push(withoutNames.textAt('user.id'));
  check('D30 POST /users accepts only an e-mail address', withoutNames, withoutNames.status, 200);
  check(
    'D30 POST /users: firstName is "" by default',
    withoutNames,
    withoutNames.at('user.firstName'),
    '',
  );
  check(
    'D30 POST /users: lastName is "" by default',
    withoutNames,
    withoutNames.at('user.lastName'),
    '',
  );
  const third = await api.post('/users', { email: address(3), firstName: 'Öz', lastName: 'Türk' });
  createdIds.push(third.textAt('user.id'));

  const duplicate = await api.post('/users', { email: ada.email });
  check('D32 POST /users: a member is 409', duplicate, duplicate.status, 409);
  const upperCaseDuplicate = await api.post('/users', { email: ada.email.toUpperCase() });
  check(
    'D32 POST /users: a member is 409 in upper case too',
    upperCaseDuplicate,
    upperCaseDuplicate.status,
    409,
  );
  check(
    'Part 7 POST /users: the 409 gives the reason',
    duplicate,
    duplicate.at('message'),
    filledText,
  );

  const faulty: readonly FaultyBody[] = [
    ['no field', {}, 'email'],
    ['an email that is null', { email: null }, 'email'],
    ['an email that is a number', { email: 3 }, 'email'],
    ['an email that is a list', { email: [address(9)] }, 'email'],
    ['an empty email', { email: '' }, 'email'],
    ['an email without @', { email: 'nobody' }, 'email'],
    ['an email with a space', { email: 'a b@contract.example' }, 'email'],
    ['a firstName that is a number', { email: address(9), firstName: 3 }, 'firstName'],
    ['a lastName that is an object', { email: address(9), lastName: {} }, 'lastName'],
    ['a lastName that is a boolean', { email: address(9), lastName: true }, 'lastName'],
    ['a firstName that is null', { email: address(9), firstName: null }, 'firstName'],
    ['a lastName that is null', { email: address(9), lastName: null }, 'lastName'],
    [
      'three wrong fields',
      { email: 'x', firstName: 1, lastName: [] },
      'email',
      'firstName',
      'lastName',
    ],
    [
      'a firstName with a control character',
      { email: address(9), firstName: 'A\u0007da' },
      'firstName',
    ],
    [
      'a firstName with a bidirectional override',
      { email: address(9), firstName: 'A\u202eda' },
      'firstName',
    ],
    [
      'a lastName without a visible character',
      { email: address(9), lastName: '\u200b\u200b' },
      'lastName',
    ],
  ];
  const remove = (accepted: Answer) => api.delete(`/users/${accepted.at('user.id')}`);
  await checkFaultyBodies(
    check,
    { name: 'POST /users', api, method: 'POST', path: '/users', undo: remove },
    faulty,
  );

  const fetched = await api.get(`/users/${id}`);
  check(
    'D30 GET /users/:userId returns the user as created',
    fetched,
    fetched.at('user'),
    created.at('user'),
  );
  checkShape(check, 'Part 2, GET /users/:userId: the user', fetched, fetched.at('user'), userShape);
  const unknown = await api.get('/users/unknown');
  check('Part 7 GET /users/:userId: an unknown id is 404', unknown, unknown.status, 404);
  const escaped = await api.get('/users/%00%2f');
  check('D3 GET /users/:userId: an id that cannot exist is 404', escaped, escaped.status, 404);

  await checkList(check, {
    name: 'GET /users',
    api,
    path: '/users',
    items: 'users',
    shape: userShape,
    pageSizeDefault: 20,
    time: 'createdAt',
  });
  const searched = await api.get(`/users?search=${prefix}`);
  check('D33 GET /users: search matches the e-mail address', searched, searched.at('total'), 3);
  check(
    'D7 GET /users: the newest user comes first',
    searched,
    searched.listAt('users').map(idOf),
    createdIds.toReversed(),
  );
  check(
    'Part 2, GET /users: a user in the list equals the single user',
    searched,
    searched.at('users'),
    hasItem(fetched.at('user')),
  );
  for (const [description, search, expected] of [
    ['whatever the case', prefix.toUpperCase(), true],
    ['without the spaces around it', `  ${prefix}  `, true],
    ['in the first name', 'ada%_', true],
    ['in the last name', 'CONTRACT', true],
    ['with % as a plain character', '%_\\', true],
    ['with _ as a plain character', `${prefix}_1`, false],
    ['with \\ as a plain character', '_\\', true],
    ['with % never as a wildcard', `${prefix.slice(0, 8)}%1`, false],
  ] as const) {
    const answer = await api.get(`/users?pageSize=100&search=${encodeURIComponent(search)}`);
    check(
      `D33 GET /users: search finds ${description}`,
      answer,
      answer.listAt('users').map(idOf).includes(id),
      expected,
    );
  }
  const emptySearch = await api.get(`/users?search=${prefix}-nobody`);
  check(
    'D7 GET /users: a search without a result is an empty list',
    emptySearch,
    [emptySearch.at('users'), emptySearch.at('total'), emptySearch.at('totalPages')],
    [[], 0, 0],
  );

  await checkAdding(suite, { api, id, email: ada.email });
  await checkTenants(suite, { api, id, email: ada.email });

  if (disposable) {
    const everybody = await api.get('/users?pageSize=100');
    const administrator = everybody
      .listAt('users')
      .find((candidate) => Object(candidate).isAdmin === true);
    const refusedRemoval = await api.delete(`/users/${idOf(administrator)}`);
    check(
      'D30 DELETE /users/:userId: an administrator is 403',
      refusedRemoval,
      refusedRemoval.status,
      403,
    );
    const administratorAfterwards = await api.get(`/users/${idOf(administrator)}`);
    check(
      '4.4 DELETE /users/:userId: the administrator is still there',
      administratorAfterwards,
      administratorAfterwards.status,
      200,
    );
  } else report.skipped.set('that administrators cannot be removed', '--disposable is not given');
}

type AccountTarget = { api: NonNullable<ReturnType<Suite['api']>>; id: string; email: string };

/** Removes, creates and adds a person who has an account. */
async function checkAdding({ check }: Suite, { api, id, email }: AccountTarget): Promise<void> {
  const member = await api.post('/users/add', { email });
  check('D30 POST /users/add: a member is 409', member, member.status, 409);
  const removed = await api.delete(`/users/${id}`);
  check('D1 DELETE /users/:userId answers 200 with a body', removed, removed.status, 200);
  check('D30 DELETE /users/:userId: success is true', removed, removed.at('success'), true);
  check('D30 DELETE /users/:userId returns userId', removed, removed.at('userId'), id);
  const removedUser = await api.get(`/users/${id}`);
  check(
    '4.4 DELETE /users/:userId: the user gets 404 afterwards',
    removedUser,
    removedUser.status,
    404,
  );
  const twice = await api.delete(`/users/${id}`);
  check('Part 7 DELETE /users/:userId twice: 404', twice, twice.status, 404);

  const added = await api.post('/users/add', { email });
  check('D30 POST /users/add answers 200', added, added.status, 200);
  checkShape(check, 'D30 POST /users/add: the user', added, added.at('user'), userShape);
  check('D30 DELETE /users/:userId: the account is kept', added, added.at('user.id'), id);
  check('D30 POST /users/add has no isNewUser', added, added.at('isNewUser'), undefined);
  check(
    'D30 POST /users/add: the added user is in the default team',
    added,
    added.listAt('user.teams').length,
    1,
  );
  await api.delete(`/users/${id}`);
  const addedAgain = await api.post('/users', { email, firstName: 'Again' });
  check(
    '4.4 POST /users: an account that exists is added to the organization',
    addedAgain,
    [addedAgain.status, addedAgain.at('user.id')],
    [200, id],
  );
  check(
    '4.4 POST /users: isNewUser is false for an account that exists',
    addedAgain,
    addedAgain.at('isNewUser'),
    false,
  );

  const unknownAccount = await api.post('/users/add', { email: `nobody-${email}` });
  check(
    'D30 POST /users/add: an unknown account is 404',
    unknownAccount,
    unknownAccount.status,
    404,
  );
  await checkFaultyBodies(
    check,
    { name: 'POST /users/add', api, method: 'POST', path: '/users/add' },
    [
      ['no field', {}, 'email'],
      ['an email that is null', { email: null }, 'email'],
      ['an email that is a number', { email: 1 }, 'email'],
      ['an email without @', { email: 'nobody' }, 'email'],
    ],
  );
}

/**
 * Checks that another organization sees nothing of the person and, after adding them, only the
 * e-mail address (D44).
 */
async function checkTenants(suite: Suite, { api, id, email }: AccountTarget): Promise<void> {
  const { check } = suite;
  const other = suite
    .api('other-org-key', 'users of another organization')
    ?.under('/api/user-management/v1');
  if (!other) return;
  checkSameRefusal(
    check,
    'D3 GET /users/:userId of another organization',
    await other.get(`/users/${id}`),
    await other.get('/users/unknown'),
  );
  checkSameRefusal(
    check,
    'D3 DELETE /users/:userId of another organization',
    await other.delete(`/users/${id}`),
    await other.delete('/users/unknown'),
  );
  const search = await other.get(`/users?search=${encodeURIComponent(email)}`);
  check('D3 GET /users does not find users of another organization', search, search.at('total'), 0);
  const otherTeamId = Object((await other.get('/teams')).listAt('teams')[0]).id;
  checkSameRefusal(
    check,
    'D3 POST /teams/:teamId/users with a user of another organization',
    await other.post(`/teams/${otherTeamId}/users`, { userId: id }),
    await other.post(`/teams/${otherTeamId}/users`, { userId: 'unknown' }),
  );
  const added = await other.post('/users/add', { email });
  check(
    'D44 POST /users/add: the membership in a second organization works at once',
    added,
    added.status,
    200,
  );
  check(
    'D44 an organization that adds an account does not see its firstName',
    added,
    added.at('user.firstName'),
    '',
  );
  check(
    'D44 an organization that adds an account does not see its lastName',
    added,
    added.at('user.lastName'),
    '',
  );
  check(
    'D44 an organization that adds an account does not see its lastLogin',
    added,
    added.at('user.lastLogin'),
    null,
  );
  const ownView = await api.get(`/users/${id}`);
  check(
    'D44 the first organization sees the names that it set',
    ownView,
    ownView.at('user.firstName'),
    not(''),
  );
  check(
    'D44 the first organization does not see the teams of the second',
    ownView,
    ownView.listAt('user.teams').length,
    1,
  );
  await other.delete(`/users/${id}`);
}
