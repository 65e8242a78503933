import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf } from '../support/answers.ts';
import { type TestApp, type TestOrganization, type TestResponse, testApp } from '../support/app.ts';
import { refusalBody } from '../support/refusal-body.ts';

let app: TestApp;
let owner: TestOrganization;
let teamId: string;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
  owner = await app.organization();
  teamId = answerOf('createTeam', await owner.manage('POST', '/teams', { name: 'Input' })).team.id;
});
afterAll(() => app.close());

const counts = () =>
  Promise.all([
    app.database.prisma.user.count(),
    app.database.prisma.team.count(),
    app.database.prisma.teamMembership.count(),
    app.database.prisma.auditEntry.count(),
  ]);

/**
 * Expects 400 with an error body that names exactly these fields, and no change in the database.
 */
async function expectRejected(run: () => Promise<TestResponse>, ...fields: string[]) {
  const before = await counts();
  const { status, body, text } = await run();
  expect({ status, body }).toEqual({ status: 400, body: refusalBody('BAD_INPUT') });
  for (const field of fields) expect(body['message']).toMatch(new RegExp(`\\b${field}\\b`));
  expect(text).not.toContain('echo');
  expect(await counts()).toEqual(before);
}

const wrongTypes = [
  3,
  0,
  true,
  false,
  [],
  {},
  ['echo'],
  { echo: 1 },
  1.5,
  { $gt: '' },
  { contains: 'echo' },
];
const wrongTexts = ['echo\u0000', '\ud800echo', 'echo\udfff', 'echo'.repeat(260_000)];

describe('the query parameters of GET /users', () => {
  const wrong: [string, string[]][] = [
    [
      'page',
      [
        '0',
        '-1',
        'abc',
        '1.5',
        '1e3',
        '',
        ' 1',
        '+1',
        '01',
        '0x1',
        '9007199254740993',
        '99999999999999999999',
        'null',
        'NaN',
        'Infinity',
        '1%00',
        '%F0%9F%98%80',
        '[1]',
        '1,2',
      ],
    ],
    ['pageSize', ['0', '-1', '101', '1000000', 'abc', '1.5', '', '1e1', 'null', '1%00']],
    ['search', ['%00', 'a%00b', 'x'.repeat(201)]],
  ];
  it.each(wrong)('Invalid values of the parameter %s are rejected', async (name, values) => {
    for (const value of values)
      await expectRejected(() => owner.manage('GET', `/users?${name}=${value}`), name);
  });

  it('The minimum and the maximum of a parameter are accepted', async () => {
    for (const query of [
      'page=1',
      'pageSize=1',
      'pageSize=100',
      'page=1000000000000000',
      'page=9007199254740991&pageSize=100',
      `search=${encodeURIComponent('😀'.repeat(200))}`,
    ]) {
      expect({ query, status: (await owner.manage('GET', `/users?${query}`)).status }).toEqual({
        query,
        status: 200,
      });
    }
  });

  it('A parameter that is not UTF-8 is rejected, because a search for it would find nothing', async () => {
    for (const search of ['M%FCller', '%E0%A4%A', '%EF%BF%BD'])
      expect(await owner.manage('GET', `/users?search=${search}`)).toMatchObject({
        status: 400,
        body: {
          errors: [
            {
              field: 'search',
              code: 'INVALID_CHARACTERS',
              message: expect.stringContaining('encoded in UTF-8'),
            },
          ],
        },
      });
    expect((await owner.manage('GET', '/users?search=M%C3%BCller')).status).toBe(200);
  });

  it('A plus in a time of a query is a blank, and the error says so', async () => {
    const { status, body } = await owner.manage(
      'GET',
      '/users?updatedSince=2026-01-01T00:00:00+01:00',
    );
    expect(status).toBe(400);
    expect(body['message']).toMatch(/%2B in a URL$/);
  });

  it('A repeated parameter is rejected', async () => {
    await expectRejected(() => owner.manage('GET', '/users?page=1&page=2'), 'page');
    await expectRejected(() => owner.manage('GET', '/users?search=a&search=b'), 'search');
  });

  it('One error names every invalid parameter', async () => {
    await expectRejected(
      () => owner.manage('GET', '/users?page=0&pageSize=101&search=%00'),
      'page',
      'pageSize',
      'search',
    );
  });

  it('Unknown parameters are ignored, whatever their value is', async () => {
    for (const query of [
      'sort=desc',
      '__proto__=1',
      'page[]=3',
      'constructor=x',
      '%00=1',
      'page%00=0',
      '=',
      '&&&',
      'a=%E0%A4%A',
    ]) {
      expect({ query, status: (await owner.manage('GET', `/users?${query}`)).status }).toEqual({
        query,
        status: 200,
      });
    }
  });
});

describe.each([
  ['POST /users', '/users'],
  ['POST /users/add', '/users/add'],
])('the field email of %s', (_, path) => {
  const post = (body: unknown) => owner.manage('POST', path, body);

  it('The email is required', async () => {
    await expectRejected(() => post({}), 'email');
    await expectRejected(() => post({ email: null }), 'email');
    await expectRejected(() => owner.manage('POST', path), 'email');
  });

  it('The email must be a string; other types are not converted', async () => {
    for (const email of wrongTypes) await expectRejected(() => post({ email }), 'email');
  });

  it('The email must be an e-mail address', async () => {
    const wrong = [
      '',
      ' ',
      'echo',
      'echo@',
      '@echo.example',
      'a@b@echo.example',
      'a b@echo.example',
      'a@echo',
      'a@-echo.example',
      'a@echo..example',
      '.a@echo.example',
      'a.@echo.example',
      'a..b@echo.example',
      'a@echo.example.',
      'a\n@echo.example',
      'a@[127.0.0.1]',
      `${'x'.repeat(65)}@echo.example`,
      `a@${'x'.repeat(64)}.example`,
      `a@${'x.'.repeat(130)}echo`,
      '"a b"@echo.example',
      'a,b@echo.example',
      'Echo <a@echo.example>',
      ...wrongTexts,
    ];
    for (const email of wrong) await expectRejected(() => post({ email }), 'email');
  });
});

describe.each(['firstName', 'lastName'])('the field %s of POST /users', (name) => {
  it('A name is a string of at most 200 characters', async () => {
    for (const value of [...wrongTypes, ...wrongTexts, 'x'.repeat(201), 'a\tb', 'a\u001bb'])
      await expectRejected(
        () => owner.manage('POST', '/users', { email: 'names@input.example', [name]: value }),
        name,
      );
  });

  it('An absent name is an empty name, and null is rejected', async () => {
    await expectRejected(
      () => owner.manage('POST', '/users', { email: 'names@input.example', [name]: null }),
      name,
    );
    const { status, body } = await owner.manage('POST', '/users', {
      email: `without-${name}@input.example`,
    });
    expect({ status, user: body['user'] }).toMatchObject({ status: 200, user: { [name]: '' } });
  });
});

it('One error names every invalid field of POST /users', async () => {
  await expectRejected(
    () => owner.manage('POST', '/users', { email: 3, firstName: [], lastName: {} }),
    'email',
    'firstName',
    'lastName',
  );
});

describe('the field name of POST /teams', () => {
  it('The name is required and a string of 1 to 200 characters', async () => {
    for (const name of [
      undefined,
      null,
      '',
      ' ',
      '\u00a0',
      'x'.repeat(201),
      ...wrongTypes,
      ...wrongTexts,
    ])
      await expectRejected(() => owner.manage('POST', '/teams', { name }), 'name');
  });
});

describe('the field userId of POST /teams/:teamId/users', () => {
  it('The userId is required and a string', async () => {
    for (const userId of [undefined, null, ...wrongTypes, 'echo\u0000', '\ud800echo'])
      await expectRejected(
        () => owner.manage('POST', `/teams/${teamId}/users`, { userId }),
        'userId',
      );
  });

  it('An unknown userId answers 404', async () => {
    for (const userId of [
      '',
      ' ',
      '__proto__',
      'constructor',
      'x'.repeat(100_000),
      "' or 1=1",
      '😀',
    ]) {
      expect((await owner.manage('POST', `/teams/${teamId}/users`, { userId })).status).toBe(404);
    }
  });
});

describe('the fields of a JSON body', () => {
  it('A field that exists only on the prototype is absent', async () => {
    for (const raw of [
      '{"__proto__":{"email":"proto@input.example"}}',
      '{"constructor":{"prototype":{"email":"proto@input.example"}}}',
    ]) {
      await expectRejected(
        () =>
          app.request('POST', '/api/user-management/v1/users', {
            headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
            body: raw,
          }),
        'email',
      );
    }
    expect(({} as Record<string, unknown>)['email']).toBeUndefined();
  });

  it('If a field is repeated, its last value counts', async () => {
    const answer = await app.request('POST', '/api/user-management/v1/users', {
      headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
      body: '{"email":"first@input.example","email":"second@input.example"}',
    });
    expect(answer.body['user']).toMatchObject({ email: 'second@input.example' });
  });

  it('A body with a hundred thousand levels gets an error response', async () => {
    const deep = `{"email":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    await expectRejected(
      () =>
        app.request('POST', '/api/user-management/v1/users', {
          headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
          body: deep,
        }),
      'nested more than 64 levels deep',
    );
  });
});
