import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';

let app: TestApp;
let home: TestOrganization;
let stranger: TestOrganization;
let userId: string;
let session: TestSession;
let made = 0;

beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '10000' });
  home = await app.organization();
});
afterAll(() => app.close());
beforeEach(async () => {
  made += 1;
  stranger = await app.organization();
  const user = await home.member(`grace${made}@added.example`, {
    firstName: 'Grace',
    lastName: 'Hopper',
  });
  userId = user.id;
  session = await signIn(app, userId);
});

const email = () => `grace${made}@added.example`;
const visit = (organizationId: string) =>
  session.graph('{ organization { id } }', {}, { 'x-atrium-organization': organizationId });
const found = async (search: string) => {
  const { body } = await stranger.manage('GET', `/users?search=${encodeURIComponent(search)}`);
  return { total: body['total'], ids: (body['users'] as { id: string }[]).map(({ id }) => id) };
};
const seen = async () => (await stranger.manage('GET', `/users/${userId}`)).body['user'];
const hidden = { firstName: '', lastName: '', lastLogin: null };
const own = { firstName: 'Grace', lastName: 'Hopper', lastLogin: expect.any(String) };

describe('a person whose account an organization added', () => {
  it('Until an added person opens the organization, every response shows only their address', async () => {
    const added = await stranger.manage('POST', '/users/add', { email: email() });
    expect(added).toMatchObject({
      status: 200,
      body: { user: { id: userId, email: email(), isAdmin: false, ...hidden } },
    });
    expect(await seen()).toMatchObject(hidden);
    expect((await stranger.manage('GET', '/users')).body['users']).toContainEqual(
      expect.objectContaining({ id: userId, ...hidden }),
    );

    expect((await visit(stranger.id)).data).toEqual({ organization: { id: stranger.id } });
    expect(await seen()).toMatchObject(own);
  });

  it('A search finds an added person by the address but not by the hidden names, in teams as well', async () => {
    await stranger.manage('POST', '/users/add', { email: email() });
    const inTeam = async (search: string) =>
      (
        await app.graph(
          stranger.key,
          `{ teams { users(search: "${search}") { total items { id firstName } } } }`,
        )
      ).data?.['teams'];
    expect(await found('hopper')).toEqual({ total: 0, ids: [] });
    expect(await inTeam('hopper')).toEqual([{ users: { total: 0, items: [] } }]);
    expect(await found(email())).toEqual({ total: 1, ids: [userId] });
    expect(await inTeam(email())).toEqual([
      { users: { total: 1, items: [{ id: userId, firstName: '' }] } },
    ]);

    await visit(stranger.id);
    expect(await found('hopper')).toEqual({ total: 1, ids: [userId] });
    expect(await inTeam('hopper')).toEqual([
      { users: { total: 1, items: [{ id: userId, firstName: 'Grace' }] } },
    ]);
  });

  it('Until an added person opens the organization, they are shown and found by the names that the organization gave them', async () => {
    const created = await stranger.manage('POST', '/users', {
      email: email(),
      firstName: 'Amazing',
      lastName: 'Grace%',
    });
    expect(created).toMatchObject({
      status: 200,
      body: {
        isNewUser: false,
        user: { firstName: 'Amazing', lastName: 'Grace%', lastLogin: null },
      },
    });
    expect(await found('amaz')).toEqual({ total: 1, ids: [userId] });
    expect(await found('e%')).toEqual({ total: 1, ids: [userId] });
    // In the address and in the given name, and counted once.
    expect(await found('grace')).toEqual({ total: 1, ids: [userId] });
    expect((await home.manage('GET', `/users/${userId}`)).body['user']).toMatchObject(own);

    await visit(stranger.id);
    expect(await seen()).toMatchObject(own);
    expect(await found('amaz')).toEqual({ total: 0, ids: [] });
  });

  it('The audit log names an added person by the address until they open the organization', async () => {
    await stranger.manage('POST', '/users/add', { email: email() });
    const administrator = await signIn(app, stranger.administratorId);
    const targetNames = async () => {
      const { data } = await administrator.graph<{
        auditEntries: { items: { targetName: string }[] };
      }>('{ auditEntries(action: "add-user") { items { targetName } } }');
      return data?.auditEntries.items.map(({ targetName }) => targetName);
    };
    expect(await targetNames()).toEqual([email()]);
    await visit(stranger.id);
    expect(await targetNames()).toEqual(['Grace Hopper']);
  });

  it('Until an added person opens the organization, its audit log has no entries about their sign-ins', async () => {
    await stranger.manage('POST', '/users/add', { email: email() });
    const signIns = () =>
      app.database.prisma.auditEntry.count({
        where: { organizationId: stranger.id, action: 'sign-in', targetId: userId },
      });
    await signIn(app, userId);
    expect(await signIns()).toBe(0);
    await visit(stranger.id);
    await signIn(app, userId);
    expect(await signIns()).toBe(1);
  });

  it('An added person keeps their default organization, before and after they open the new one', async () => {
    const where = async () => (await session.graph('{ organization { id } }')).data;
    await stranger.manage('POST', '/users/add', { email: email() });
    expect(await where()).toEqual({ organization: { id: home.id } });
    const memberships = '{ viewer { memberships { isAccepted organization { id } } } }';
    expect((await session.graph(memberships)).data).toEqual({
      viewer: {
        memberships: [
          { isAccepted: true, organization: { id: home.id } },
          { isAccepted: false, organization: { id: stranger.id } },
        ],
      },
    });
    await visit(stranger.id);
    expect(await where()).toEqual({ organization: { id: home.id } });

    expect((await home.manage('DELETE', `/users/${userId}`)).status).toBe(200);
    expect(
      (
        await session.graph(
          '{ viewer { organization { id } memberships { isAccepted organization { id } } } }',
        )
      ).data,
    ).toEqual({
      viewer: {
        organization: null,
        memberships: [{ isAccepted: true, organization: { id: stranger.id } }],
      },
    });
  });

  it('A GET request, which a link on another site can cause, does not accept a membership', async () => {
    await stranger.manage('POST', '/users/add', { email: email() });
    const headers = { cookie: session.cookie, 'x-atrium-organization': stranger.id };
    await app.request('GET', `/graphql?query=${encodeURIComponent('{ organization { id } }')}`, {
      headers,
    });
    await app.request('GET', `/files/unknown/unknown?organization=${stranger.id}`, {
      headers: { cookie: session.cookie },
    });
    expect(await seen()).toMatchObject(hidden);
  });
});

describe('a person whose account an organization created', () => {
  const person = async () => {
    const address = `new${made}@added.example`;
    const { body } = await stranger.manage('POST', '/users', {
      email: address,
      firstName: 'Working',
      lastName: 'Title',
    });
    return { address, id: (body['user'] as { id: string }).id };
  };

  it('A created account has no names of its own, and other organizations do not see the names that the first one gave', async () => {
    const { address, id } = await person();
    expect(
      await app.database.prisma.user.findUnique({
        where: { id },
        select: { firstName: true, lastName: true },
      }),
    ).toEqual({ firstName: '', lastName: '' });
    expect(
      (await home.manage('POST', '/users/add', { email: address })).body['user'],
    ).toMatchObject({ id, firstName: '', lastName: '' });
    expect((await home.manage('GET', '/users?search=working')).body['total']).toBe(0);
    expect((await stranger.manage('GET', `/users/${id}`)).body['user']).toMatchObject({
      firstName: 'Working',
      lastName: 'Title',
    });
  });

  it('A person is shown with the given names until they set their own, which then apply in every organization that they accepted', async () => {
    const { id } = await person();
    await app.database.prisma.account.create({
      data: { id, userId: id, accountId: id, providerId: 'credential' },
    });
    const theirs = await signIn(app, id);
    const ask = (query: string) =>
      theirs.graph(query, {}, { 'x-atrium-organization': stranger.id });
    const shown = async () => (await stranger.manage('GET', `/users/${id}`)).body['user'];
    expect((await theirs.graph('{ viewer { organization { id } } }')).data).toEqual({
      viewer: { organization: null },
    });
    expect((await ask('{ organization { id } }')).data).toEqual({
      organization: { id: stranger.id },
    });
    expect(await shown()).toMatchObject({
      firstName: 'Working',
      lastName: 'Title',
      lastLogin: expect.any(String),
    });
    expect(await found('title')).toEqual({ total: 1, ids: [id] });

    await ask('mutation { updateProfile(firstName: "Nora", lastName: "") { id } }');
    expect(await shown()).toMatchObject({ firstName: 'Nora', lastName: '' });
    expect(await found('title')).toEqual({ total: 0, ids: [] });
    expect(await found('nora')).toEqual({ total: 1, ids: [id] });
    // The account was made for this organization, so it is the default one from the first visit on.
    expect((await theirs.graph('{ viewer { organization { id } } }')).data).toEqual({
      viewer: { organization: { id: stranger.id } },
    });
  });
});
