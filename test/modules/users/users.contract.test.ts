import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf } from '../../support/answers.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { refusalBody, textWithoutRequestId } from '../../support/refusal-body.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '10000' });
});
afterAll(() => app.close());

const isoMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const errorBody = { status: 'error', message: expect.any(String) };

describe('GET /users', () => {
  it('GET /users answers with the page fields and exactly the documented fields of each user', async () => {
    const owner = await app.organization();
    const member = await owner.member('grace@list.example', {
      firstName: 'Grace',
      lastName: 'Hopper',
    });
    const { status, body } = await owner.manage('GET', '/users');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      users: expect.any(Array),
      total: 2,
      page: 1,
      pageSize: 20,
      totalPages: 1,
    });
    const { users } = answerOf('listUsers', { status, body });
    expect(users[0]).toEqual({
      id: member.id,
      email: 'grace@list.example',
      firstName: 'Grace',
      lastName: 'Hopper',
      createdAt: expect.stringMatching(isoMs),
      lastLogin: null,
      isAdmin: false,
      teams: [{ id: owner.defaultTeamId, name: expect.any(String) }],
    });
    expect(users[1]).toMatchObject({
      id: owner.administratorId,
      isAdmin: true,
    });
  });

  it('Users are listed newest first, then by id, and no page repeats or skips a user (D7)', async () => {
    const owner = await app.organization();
    const at = new Date('2026-01-01T00:00:00.000Z');
    // All users have the same creation time, so that only the id decides the order.
    await app.database.prisma.user.createMany({
      data: Array.from({ length: 44 }, (_, index) => ({
        id: `tie-${String((index * 7) % 44).padStart(2, '0')}`,
        email: `tie${index}@ties.example`,
        createdAt: at,
      })),
    });
    const users = await app.database.prisma.user.findMany({
      where: { email: { endsWith: '@ties.example' } },
    });
    await app.database.prisma.membership.createMany({
      data: users.map((user) => ({ organizationId: owner.id, userId: user.id, userCreatedAt: at })),
    });
    const listedIds: string[] = [];
    for (let page = 1; page <= 5; page += 1) {
      const answer = await owner.manage('GET', `/users?pageSize=10&page=${page}`);
      expect(answer.body).toMatchObject({ total: 45, totalPages: 5, page, pageSize: 10 });
      listedIds.push(...answerOf('listUsers', answer).users.map(({ id }) => id));
    }
    expect(new Set(listedIds).size).toBe(45);
    expect(listedIds[0]).toBe(owner.administratorId);
    expect(listedIds.slice(1)).toEqual(
      users
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
  });

  it('A page after the last one is empty and has the correct totals (D7)', async () => {
    const owner = await app.organization();
    for (const page of [2, 101, 1_000_000, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await owner.manage('GET', `/users?page=${page}`);
      expect({ status, body }).toEqual({
        status: 200,
        body: { status: 'success', users: [], total: 1, page, pageSize: 20, totalPages: 1 },
      });
    }
  });

  it('A page deep in a long list has the same users as the list in full', async () => {
    const owner = await app.organization();
    await app.database.prisma.$executeRaw`
      insert into users (id, email, created_at, updated_at)
      select 'deep-' || n, 'deep' || n || '@deep.example', timestamptz '2020-01-01' + n % 700 * interval '1 minute', now() from generate_series(1, 5000) n`;
    await app.database.prisma.$executeRaw`
      insert into memberships (organization_id, user_id, user_created_at) select ${owner.id}, id, created_at from users where email like '%@deep.example'`;
    const all = await app.database.prisma.$queryRaw<{ id: string }[]>`
      select user_id as id from memberships where organization_id = ${owner.id} order by user_created_at desc, user_id desc`;
    for (const page of [1, 20, 21, 22, 30, 50, 51]) {
      const answer = await owner.manage('GET', `/users?pageSize=100&page=${page}`);
      const { total, users } = answerOf('listUsers', answer);
      expect(total).toBe(5001);
      expect(users.map(({ id }) => id)).toEqual(
        all.slice((page - 1) * 100, page * 100).map(({ id }) => id),
      );
    }
  });

  it('A search finds a part of the e-mail address, the first name or the last name, regardless of case (D33)', async () => {
    const owner = await app.organization();
    await owner.member('zoe.quux@search.example', { firstName: 'Zoë', lastName: 'Ångström' });
    await owner.member('bob@search.example', { firstName: 'Bob', lastName: 'Quuxley' });
    await owner.member('carol@search.example', { firstName: 'QUUXINE', lastName: 'Jones' });
    const search = async (text: string) => {
      const { status, body } = await owner.manage(
        'GET',
        `/users?search=${encodeURIComponent(text)}`,
      );
      expect(status).toBe(200);
      const emails = answerOf('listUsers', { status, body })
        .users.map(({ email }) => email.split('@')[0])
        .sort();
      expect(body['total']).toBe(emails.length);
      return emails;
    };
    expect(await search('quux')).toEqual(['bob', 'carol', 'zoe.quux']);
    expect(await search('QuUxLeY')).toEqual(['bob']);
    expect(await search('ång')).toEqual(['zoe.quux']);
    expect(await search('ÅNG')).toEqual(['zoe.quux']);
    expect(await search('zoë')).toEqual(['zoe.quux']);
    expect(await search('ZOË')).toEqual(['zoe.quux']);
    expect(await search('@search.example')).toHaveLength(3);
    expect(await search('nobody-has-this')).toEqual([]);
    // A match cannot span two of the three fields.
    expect(await search('exampleBob')).toEqual([]);
    expect(await search('example\nbob')).toEqual([]);
    expect(await search('')).toHaveLength(4);
  });

  it('A search for an address with an international domain finds it in the form in which it was sent', async () => {
    const owner = await app.organization();
    const { body } = await owner.manage('POST', '/users', { email: 'Mia@Exämple.Example' });
    for (const search of ['mia@exämple.example', 'Mia@EXÄMPLE.example', 'mia@xn--exmple-cua.exa']) {
      const found = await owner.manage('GET', `/users?search=${encodeURIComponent(search)}`);
      expect(found.body).toMatchObject({ total: 1, users: [body['user']] });
    }
  });

  it('The characters %, _ and \\ in a search have no special meaning (D33)', async () => {
    const owner = await app.organization();
    await owner.member('plain@wild.example', { firstName: '100%', lastName: 'a_b' });
    await owner.member('other@wild.example', { firstName: '1000', lastName: 'aXb' });
    await owner.member('slash@wild.example', { firstName: 'back\\slash', lastName: '' });
    const emails = async (search: string) => {
      const answer = await owner.manage('GET', `/users?search=${encodeURIComponent(search)}`);
      return answerOf('listUsers', answer).users.map(({ email }) => email);
    };
    expect(await emails('100%')).toEqual(['plain@wild.example']);
    expect(await emails('a_b')).toEqual(['plain@wild.example']);
    expect(await emails('k\\s')).toEqual(['slash@wild.example']);
    expect(await emails('%')).toEqual(['plain@wild.example']);
    expect(await emails('_')).toEqual(['plain@wild.example']);
    expect(await emails('\\')).toEqual(['slash@wild.example']);
    expect(await emails("' or 1=1 --")).toEqual([]);
  });

  it('The pages of a search have the total of the search', async () => {
    const owner = await app.organization();
    for (let index = 0; index < 7; index += 1) await owner.member(`paged${index}@paged.example`);
    const { body } = await owner.manage('GET', '/users?search=paged&pageSize=3&page=3');
    expect(body).toMatchObject({ total: 7, totalPages: 3, page: 3, pageSize: 3 });
    expect(body['users']).toHaveLength(1);
    const pastEnd = await owner.manage('GET', '/users?search=paged&pageSize=3&page=4');
    expect(pastEnd.body).toMatchObject({ users: [], total: 7, totalPages: 3 });
  });
});

describe('GET /users/:userId', () => {
  it('GET /users/:userId answers with every field of the user (D30)', async () => {
    const owner = await app.organization();
    const { status, body } = await owner.manage('GET', `/users/${owner.administratorId}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      user: {
        id: owner.administratorId,
        email: `admin@${owner.slug}.example`,
        firstName: 'Ada',
        lastName: owner.slug,
        createdAt: expect.stringMatching(isoMs),
        lastLogin: null,
        isAdmin: true,
        teams: [{ id: owner.defaultTeamId, name: expect.any(String) }],
      },
    });
  });

  it('A user of another organization and an unknown id get the same 404 (D3)', async () => {
    const owner = await app.organization();
    const otherOrganization = await app.organization();
    const foreignAnswer = await owner.manage('GET', `/users/${otherOrganization.administratorId}`);
    const unknownAnswer = await owner.manage('GET', '/users/0190b7e5-0000-7000-8000-000000000000');
    expect(foreignAnswer).toMatchObject({ status: 404, body: errorBody });
    expect(textWithoutRequestId(foreignAnswer)).toBe(textWithoutRequestId(unknownAnswer));
    for (const invalidId of ['%00', 'x'.repeat(5000), '__proto__', '%F0%9F%98%80', "'--", '%25']) {
      const answer = await owner.manage('GET', `/users/${invalidId}`);
      expect(answer.status).toBe(404);
      expect(textWithoutRequestId(answer)).toBe(textWithoutRequestId(unknownAnswer));
    }
  });
});

describe('POST /users', () => {
  it('POST /users creates an account and a membership in the default team; only the e-mail address is required (D30)', async () => {
    const owner = await app.organization();
    const { status, body } = await owner.manage('POST', '/users', {
      email: 'New.Person@Create.Example',
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      isNewUser: true,
      user: {
        id: expect.any(String),
        email: 'new.person@create.example',
        firstName: '',
        lastName: '',
        createdAt: expect.stringMatching(isoMs),
        lastLogin: null,
        isAdmin: false,
        teams: [{ id: owner.defaultTeamId, name: expect.any(String) }],
      },
    });
    const { id } = answerOf('createUser', { status, body }).user;
    expect((await owner.manage('GET', `/users/${id}`)).body['user']).toEqual(body['user']);
  });

  it('A person with an account joins with it, and each organization sees the name that it gave', async () => {
    const first = await app.organization();
    const second = await app.organization();
    const created = await first.manage('POST', '/users', {
      email: 'known@create.example',
      firstName: 'Known',
      lastName: 'Person',
    });
    const joined = await second.manage('POST', '/users', {
      email: ' KNOWN@create.example ',
      firstName: 'Other',
    });
    expect(joined).toMatchObject({
      status: 200,
      body: {
        isNewUser: false,
        user: { firstName: 'Other', lastName: '', teams: [{ id: second.defaultTeamId }] },
      },
    });
    expect(answerOf('createUser', joined).user.id).toBe(answerOf('createUser', created).user.id);
    expect(created.body['user']).toMatchObject({ firstName: 'Known', lastName: 'Person' });
  });

  it('Creating a person who is already a member answers 409 and changes nothing (D32)', async () => {
    const owner = await app.organization();
    await owner.manage('POST', '/users', { email: 'twice@create.example' });
    const again = await owner.manage('POST', '/users', { email: 'twice@create.example' });
    expect(again).toMatchObject({ status: 409, body: errorBody });
    expect((await owner.manage('GET', '/users')).body['total']).toBe(2);
  });

  it('Unknown fields of a request are ignored (D6)', async () => {
    const owner = await app.organization();
    const { status, body } = await owner.manage('POST', '/users', {
      email: 'extra@create.example',
      isAdmin: true,
      id: 'mine',
      organizationId: 'x',
      ['__proto__']: { isAdmin: true },
    });
    expect({ status, user: body['user'] }).toMatchObject({ status: 200, user: { isAdmin: false } });
    expect(answerOf('createUser', { status, body }).user.id).not.toBe('mine');
  });

  it('A name can have 200 code points after trimming, but not 201 (D9)', async () => {
    const owner = await app.organization();
    const longest = await owner.manage('POST', '/users', {
      email: 'long@create.example',
      firstName: ` ${'😀'.repeat(200)} `,
      lastName: 'ö',
    });
    expect(longest).toMatchObject({ status: 200, body: { user: { firstName: '😀'.repeat(200) } } });
    const tooLong = await owner.manage('POST', '/users', {
      email: 'longer@create.example',
      firstName: 'x'.repeat(201),
    });
    expect(tooLong).toMatchObject({
      status: 400,
      body: { status: 'error', message: expect.stringContaining('firstName') },
    });
  });

  it('An e-mail address is stored in lower case with its domain in ASCII', async () => {
    const owner = await app.organization();
    const created = await owner.manage('POST', '/users', { email: 'Jürgen@Bücher.Example' });
    expect(created.body['user']).toMatchObject({ email: 'jürgen@xn--bcher-kva.example' });
    expect(
      (await owner.manage('POST', '/users', { email: 'jürgen@XN--BCHER-KVA.example' })).status,
    ).toBe(409);
  });

  it('Twenty concurrent requests for the same new address create one account and one membership', async () => {
    const owner = await app.organization();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        owner.manage('POST', '/users', { email: 'race@create.example' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ]);
    expect(await app.database.prisma.user.count({ where: { email: 'race@create.example' } })).toBe(
      1,
    );
    expect((await owner.manage('GET', '/users')).body['total']).toBe(2);
  });

  it('Concurrent requests of several organizations for the same new address create one account with one membership in each', async () => {
    const owners = [await app.organization(), await app.organization(), await app.organization()];
    const answers = await Promise.all(
      owners.map((owner) =>
        owner.manage('POST', '/users', { email: 'shared-race@create.example' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.filter(({ body }) => body['isNewUser'])).toHaveLength(1);
    expect(new Set(answers.map((answer) => answerOf('createUser', answer).user.id)).size).toBe(1);
  });

  it('POST /users answers 403 when all seats are taken, and concurrent requests take the last seat only once (D32)', async () => {
    const owner = await app.organization({ seatLimit: 3 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        owner.manage('POST', '/users', { email: `seat${index}@seats.example` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      200,
      ...Array.from({ length: 10 }, () => 403),
    ]);
    expect(answers.find(({ status }) => status === 403)?.body).toEqual(
      refusalBody('SEAT_LIMIT_REACHED', expect.stringMatching(/seat/)),
    );
    expect((await owner.manage('GET', '/users')).body['total']).toBe(3);
    expect(
      await app.database.prisma.user.count({ where: { email: { endsWith: '@seats.example' } } }),
    ).toBe(2);
  });
});

describe('POST /users/add', () => {
  it('POST /users/add adds the owner of an account, whose own name stays hidden (D30, D44)', async () => {
    const first = await app.organization();
    const second = await app.organization();
    await first.member('existing@add.example', { firstName: 'Ex' });
    const { status, body } = await second.manage('POST', '/users/add', {
      email: 'Existing@add.example',
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      user: expect.objectContaining({
        email: 'existing@add.example',
        firstName: '',
        isAdmin: false,
        teams: [expect.objectContaining({ id: second.defaultTeamId })],
      }),
    });
  });

  it('POST /users/add answers 404 for an address without an account and 409 for a member (D30)', async () => {
    const owner = await app.organization();
    expect(await owner.manage('POST', '/users/add', { email: 'nobody@add.example' })).toMatchObject(
      { status: 404, body: errorBody },
    );
    await owner.member('member@add.example');
    expect(await owner.manage('POST', '/users/add', { email: 'member@add.example' })).toMatchObject(
      { status: 409, body: errorBody },
    );
    expect((await owner.manage('GET', '/users')).body['total']).toBe(2);
  });

  it('When all seats are taken, POST /users and POST /users/add still answer 409 for a member (D40)', async () => {
    const full = await app.organization({ seatLimit: 2 });
    const email = 'seated@add.example';
    await full.member(email);
    for (const path of ['/users', '/users/add']) {
      expect(await full.manage('POST', path, { email })).toMatchObject({
        status: 409,
        body: refusalBody('CONFLICT'),
      });
      expect((await full.manage('POST', path, { email: ` ${email.toUpperCase()} ` })).status).toBe(
        409,
      );
    }
    expect(await full.manage('POST', '/users', { email: 'new@add.example' })).toMatchObject({
      status: 403,
      body: refusalBody('SEAT_LIMIT_REACHED'),
    });
    expect((await full.manage('GET', '/users')).body['total']).toBe(2);
  });

  it('POST /users/add answers 403 when all seats are taken (D32)', async () => {
    const first = await app.organization();
    const full = await app.organization({ seatLimit: 1 });
    await first.member('seatless@add.example');
    expect(
      await full.manage('POST', '/users/add', { email: 'seatless@add.example' }),
    ).toMatchObject({ status: 403, body: errorBody });
  });
});

describe('DELETE /users/:userId', () => {
  it('DELETE /users/:userId deletes the membership with its teams and keys, and the account stays (D30)', async () => {
    const owner = await app.organization();
    const member = await owner.member('leaver@remove.example');
    const userKey = await owner.userKey(member.id);
    const { status, body } = await owner.manage('DELETE', `/users/${member.id}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'success', success: true, userId: member.id },
    });
    expect((await owner.manage('GET', `/users/${member.id}`)).status).toBe(404);
    expect((await owner.manage('GET', '/users')).body['total']).toBe(1);
    expect((await owner.manage('GET', '/teams')).body['teams']).toMatchObject([{ memberCount: 1 }]);
    expect(await app.database.prisma.user.count({ where: { id: member.id } })).toBe(1);
    expect((await app.graph(userKey.key, '{ __typename }')).answer.status).toBe(401);
    expect(await owner.manage('DELETE', `/users/${member.id}`)).toMatchObject({
      status: 404,
      body: errorBody,
    });
  });

  it('The key of a removed member is rejected at once, even if it has just been used (D13)', async () => {
    const owner = await app.organization();
    const member = await owner.member('keyed@remove.example');
    const { key } = await owner.userKey(member.id);
    expect((await app.graph(key, '{ __typename }')).answer.status).toBe(200);
    await owner.manage('DELETE', `/users/${member.id}`);
    expect((await app.graph(key, '{ __typename }')).answer.status).toBe(401);
  });

  it('Removing an administrator answers 403 and changes nothing (D30)', async () => {
    const owner = await app.organization();
    expect(await owner.manage('DELETE', `/users/${owner.administratorId}`)).toMatchObject({
      status: 403,
      body: errorBody,
    });
    expect((await owner.manage('GET', `/users/${owner.administratorId}`)).status).toBe(200);
  });

  it('Removing a user of another organization answers 404 and changes nothing (D3)', async () => {
    const owner = await app.organization();
    const otherOrganization = await app.organization();
    const foreignMember = await otherOrganization.member('theirs@remove.example');
    expect(await owner.manage('DELETE', `/users/${foreignMember.id}`)).toMatchObject({
      status: 404,
      body: errorBody,
    });
    expect((await otherOrganization.manage('GET', `/users/${foreignMember.id}`)).status).toBe(200);
  });
});
