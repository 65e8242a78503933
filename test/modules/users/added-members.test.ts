import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answerOf } from '../../support/answers.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';

let app: TestApp;
let homeOrganization: TestOrganization;
let otherOrganization: TestOrganization;
let userId: string;
let session: TestSession;
let peopleCount = 0;

beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '10000' });
  homeOrganization = await app.organization();
});
afterAll(() => app.close());
beforeEach(async () => {
  peopleCount += 1;
  otherOrganization = await app.organization();
  const user = await homeOrganization.member(`grace${peopleCount}@added.example`, {
    firstName: 'Grace',
    lastName: 'Hopper',
  });
  userId = user.id;
  session = await signIn(app, userId);
});

const email = () => `grace${peopleCount}@added.example`;
const openOrganization = (organizationId: string) =>
  session.graph('{ organization { id } }', {}, { 'x-atrium-organization': organizationId });
const search = async (text: string) => {
  const answer = await otherOrganization.manage('GET', `/users?search=${encodeURIComponent(text)}`);
  const { total, users } = answerOf('listUsers', answer);
  return { total, ids: users.map(({ id }) => id) };
};
const readUser = async () =>
  (await otherOrganization.manage('GET', `/users/${userId}`)).body['user'];
const hiddenFields = { firstName: '', lastName: '', lastLogin: null };
const ownFields = { firstName: 'Grace', lastName: 'Hopper', lastLogin: expect.any(String) };

describe('a person whose account an organization added', () => {
  it('Until an added person opens the organization, every response shows only their address', async () => {
    const added = await otherOrganization.manage('POST', '/users/add', { email: email() });
    expect(added).toMatchObject({
      status: 200,
      body: { user: { id: userId, email: email(), isAdmin: false, ...hiddenFields } },
    });
    expect(await readUser()).toMatchObject(hiddenFields);
    expect((await otherOrganization.manage('GET', '/users')).body['users']).toContainEqual(
      expect.objectContaining({ id: userId, ...hiddenFields }),
    );

    expect((await openOrganization(otherOrganization.id)).data).toEqual({
      organization: { id: otherOrganization.id },
    });
    expect(await readUser()).toMatchObject(ownFields);
  });

  it('A search finds an added person by the address but not by the hidden names, in teams as well', async () => {
    await otherOrganization.manage('POST', '/users/add', { email: email() });
    const searchInTeams = async (search: string) =>
      Object(
        (
          await app.graph(
            otherOrganization.key,
            `{ teams { nodes { users(search: "${search}") { totalCount nodes { id firstName } } } } }`,
          )
        ).data?.['teams'],
      ).nodes;
    expect(await search('hopper')).toEqual({ total: 0, ids: [] });
    expect(await searchInTeams('hopper')).toEqual([{ users: { totalCount: 0, nodes: [] } }]);
    expect(await search(email())).toEqual({ total: 1, ids: [userId] });
    expect(await searchInTeams(email())).toEqual([
      { users: { totalCount: 1, nodes: [{ id: userId, firstName: '' }] } },
    ]);

    await openOrganization(otherOrganization.id);
    expect(await search('hopper')).toEqual({ total: 1, ids: [userId] });
    expect(await searchInTeams('hopper')).toEqual([
      { users: { totalCount: 1, nodes: [{ id: userId, firstName: 'Grace' }] } },
    ]);
  });

  it('Until an added person opens the organization, they are shown and found by the names that the organization gave them', async () => {
    const created = await otherOrganization.manage('POST', '/users', {
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
    expect(await search('amaz')).toEqual({ total: 1, ids: [userId] });
    expect(await search('e%')).toEqual({ total: 1, ids: [userId] });
    // The text matches both the address and the given name, and counts once.
    expect(await search('grace')).toEqual({ total: 1, ids: [userId] });
    expect((await homeOrganization.manage('GET', `/users/${userId}`)).body['user']).toMatchObject(
      ownFields,
    );

    await openOrganization(otherOrganization.id);
    expect(await readUser()).toMatchObject(ownFields);
    expect(await search('amaz')).toEqual({ total: 0, ids: [] });
  });

  it('The audit log names an added person by the address until they open the organization', async () => {
    await otherOrganization.manage('POST', '/users/add', { email: email() });
    const administrator = await signIn(app, otherOrganization.administratorId);
    const targetNames = async () => {
      const { data } = await administrator.graph<{
        auditEntries: { nodes: { targetName: string }[] };
      }>('{ auditEntries(action: "add-user") { nodes { targetName } } }');
      return data?.auditEntries.nodes.map(({ targetName }) => targetName);
    };
    expect(await targetNames()).toEqual([email()]);
    await openOrganization(otherOrganization.id);
    expect(await targetNames()).toEqual(['Grace Hopper']);
  });

  it('Until an added person opens the organization, its audit log has no entries about their sign-ins', async () => {
    await otherOrganization.manage('POST', '/users/add', { email: email() });
    const signIns = () =>
      app.database.prisma.auditEntry.count({
        where: { organizationId: otherOrganization.id, action: 'sign-in', targetId: userId },
      });
    await signIn(app, userId);
    expect(await signIns()).toBe(0);
    await openOrganization(otherOrganization.id);
    await signIn(app, userId);
    expect(await signIns()).toBe(1);
  });

  it('An added person keeps their default organization, before and after they open the new one', async () => {
    const readCurrentOrganization = async () =>
      (await session.graph('{ organization { id } }')).data;
    await otherOrganization.manage('POST', '/users/add', { email: email() });
    expect(await readCurrentOrganization()).toEqual({ organization: { id: homeOrganization.id } });
    const memberships = '{ viewer { memberships { isAccepted organization { id } } } }';
    expect((await session.graph(memberships)).data).toEqual({
      viewer: {
        memberships: [
          { isAccepted: true, organization: { id: homeOrganization.id } },
          { isAccepted: false, organization: { id: otherOrganization.id } },
        ],
      },
    });
    await openOrganization(otherOrganization.id);
    expect(await readCurrentOrganization()).toEqual({ organization: { id: homeOrganization.id } });

    expect((await homeOrganization.manage('DELETE', `/users/${userId}`)).status).toBe(200);
    expect(
      (
        await session.graph(
          '{ viewer { organization { id } memberships { isAccepted organization { id } } } }',
        )
      ).data,
    ).toEqual({
      viewer: {
        organization: null,
        memberships: [{ isAccepted: true, organization: { id: otherOrganization.id } }],
      },
    });
  });

  it('A GET request, which a link on another site can cause, does not accept a membership', async () => {
    await otherOrganization.manage('POST', '/users/add', { email: email() });
    const headers = { cookie: session.cookie, 'x-atrium-organization': otherOrganization.id };
    await app.request('GET', `/graphql?query=${encodeURIComponent('{ organization { id } }')}`, {
      headers,
    });
    await app.request('GET', `/files/unknown/unknown?organization=${otherOrganization.id}`, {
      headers: { cookie: session.cookie },
    });
    expect(await readUser()).toMatchObject(hiddenFields);
  });
});

describe('a person whose account an organization created', () => {
  const createPerson = async () => {
    const address = `new${peopleCount}@added.example`;
    const created = await otherOrganization.manage('POST', '/users', {
      email: address,
      firstName: 'Working',
      lastName: 'Title',
    });
    return { address, id: answerOf('createUser', created).user.id };
  };

  it('A created account has no names of its own, and other organizations do not see the names that the first one gave', async () => {
    const { address, id } = await createPerson();
    expect(
      await app.database.prisma.user.findUnique({
        where: { id },
        select: { firstName: true, lastName: true },
      }),
    ).toEqual({ firstName: '', lastName: '' });
    expect(
      (await homeOrganization.manage('POST', '/users/add', { email: address })).body['user'],
    ).toMatchObject({ id, firstName: '', lastName: '' });
    expect((await homeOrganization.manage('GET', '/users?search=working')).body['total']).toBe(0);
    expect((await otherOrganization.manage('GET', `/users/${id}`)).body['user']).toMatchObject({
      firstName: 'Working',
      lastName: 'Title',
    });
  });

  it('A person is shown with the given names until they set their own, which then apply in every organization that they accepted', async () => {
    const { id } = await createPerson();
    await app.database.prisma.account.create({
      data: { id, userId: id, accountId: id, providerId: 'credential' },
    });
    const personSession = await signIn(app, id);
    const graphInOther = (query: string) =>
      personSession.graph(query, {}, { 'x-atrium-organization': otherOrganization.id });
    const readPerson = async () =>
      (await otherOrganization.manage('GET', `/users/${id}`)).body['user'];
    expect((await personSession.graph('{ viewer { organization { id } } }')).data).toEqual({
      viewer: { organization: null },
    });
    expect((await graphInOther('{ organization { id } }')).data).toEqual({
      organization: { id: otherOrganization.id },
    });
    expect(await readPerson()).toMatchObject({
      firstName: 'Working',
      lastName: 'Title',
      lastLogin: expect.any(String),
    });
    expect(await search('title')).toEqual({ total: 1, ids: [id] });

    await graphInOther(
      'mutation { updateProfile(input: { firstName: "Nora", lastName: "" }) { person { id } } }',
    );
    expect(await readPerson()).toMatchObject({ firstName: 'Nora', lastName: '' });
    expect(await search('title')).toEqual({ total: 0, ids: [] });
    expect(await search('nora')).toEqual({ total: 1, ids: [id] });
    // The account was created for this organization, so it becomes the default one when the person
    // opens it.
    expect((await personSession.graph('{ viewer { organization { id } } }')).data).toEqual({
      viewer: { organization: { id: otherOrganization.id } },
    });
  });
});
