import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinOrganization } from '../../../../src/modules/organizations/join-organization.ts';
import { inTransaction } from '../../../../src/platform/database/transaction.ts';
import { type TestApp, type TestOrganization, testApp } from '../../../support/app.ts';
import { signIn, type TestSession } from '../../../support/sign-in.ts';

const where = '{ organization { slug } viewer { isAdmin } }';
let app: TestApp;
let first: TestOrganization;
let second: TestOrganization;
let foreign: TestOrganization;
let session: TestSession;
let userId: string;

beforeAll(async () => {
  app = await testApp();
  [first, second, foreign] = [
    await app.organization(),
    await app.organization(),
    await app.organization(),
  ];
  const user = await first.member('both@organizations.example');
  userId = user.id;
  await inTransaction(app.database, (tx) =>
    joinOrganization({ organizationId: second.id, user, role: 'ADMIN', at: new Date() }, tx),
  );
  session = await signIn(app, userId);
});
afterAll(() => app.close());

const inOrganization = (chosen: string) =>
  session.graph(where, {}, { 'x-atrium-organization': chosen });

describe('the organization of a session', () => {
  it('The default organization is the one that the person joined first', async () => {
    expect((await session.graph(where)).data).toEqual({
      organization: { slug: first.slug },
      viewer: { isAdmin: false },
    });
  });

  it('A request can choose the organization by id or by slug, and the role is that of the chosen one', async () => {
    const chosen = { organization: { slug: second.slug }, viewer: { isAdmin: true } };
    expect((await inOrganization(second.id)).data).toEqual(chosen);
    expect((await inOrganization(second.slug)).data).toEqual(chosen);
  });

  it('An organization of other people and an unknown one answer the same error', async () => {
    const refusals = await Promise.all(
      [foreign.id, foreign.slug, 'nowhere', ''].map(inOrganization),
    );
    for (const { status, data, errors } of refusals) {
      expect({ status, data, errors }).toEqual({
        status: 403,
        data: null,
        errors: [
          {
            message: 'You are not a member of this organization',
            extensions: {
              ...{ code: 'FORBIDDEN', reason: 'NOT_A_MEMBER' },
              requestId: expect.any(String),
            },
          },
        ],
      });
    }
  });

  it('The viewer lists all organizations of the person, the default one first', async () => {
    const { data } = await session.graph(
      '{ viewer { memberships { isAdmin joinedAt organization { id slug memberCount } } } }',
    );
    const joinedAt = expect.stringMatching(/Z$/);
    expect(data).toEqual({
      viewer: {
        memberships: [
          {
            isAdmin: false,
            joinedAt,
            organization: { id: first.id, slug: first.slug, memberCount: 2 },
          },
          {
            isAdmin: true,
            joinedAt,
            organization: { id: second.id, slug: second.slug, memberCount: 2 },
          },
        ],
      },
    });
  });

  it('The viewer of a key lists only the organization of the key', async () => {
    const { key } = await second.userKey(userId);
    const { data } = await app.graph(
      key,
      '{ viewer { kind isAdmin person { id } memberships { isAdmin } organization { slug } } }',
    );
    expect(data).toEqual({
      viewer: {
        kind: 'USER_KEY',
        isAdmin: true,
        person: { id: userId },
        memberships: [],
        organization: { slug: second.slug },
      },
    });
  });
});

describe('a removed member', () => {
  it('A removed member loses access to the organization at once, by session and by key, and keeps the others', async () => {
    const user = await first.member('leaver@organizations.example');
    await inTransaction(app.database, (tx) =>
      joinOrganization({ organizationId: second.id, user, at: new Date() }, tx),
    );
    const formerMember = await signIn(app, user.id);
    const { key } = await first.userKey(user.id);
    expect((await app.graph(key, '{ organization { slug } }')).data).toEqual({
      organization: { slug: first.slug },
    });

    expect((await first.manage('DELETE', `/users/${user.id}`)).status).toBe(200);

    expect((await formerMember.graph(where, {}, { 'x-atrium-organization': first.id })).code).toBe(
      'FORBIDDEN',
    );
    expect((await app.graph(key, '{ organization { slug } }')).answer.status).toBe(401);
    expect((await formerMember.graph(where)).data).toMatchObject({
      organization: { slug: second.slug },
    });
  });

  it('A removed member without another organization is still signed in, without an organization', async () => {
    const { id } = await first.member('loner@organizations.example');
    const personWithoutOrganization = await signIn(app, id);
    await first.manage('DELETE', `/users/${id}`);
    const viewer =
      '{ viewer { kind isAdmin features person { email } organization { id } memberships { isAdmin } } }';
    expect((await personWithoutOrganization.graph(viewer)).data).toEqual({
      viewer: {
        kind: 'SESSION',
        isAdmin: false,
        features: [],
        person: { email: 'loner@organizations.example' },
        organization: null,
        memberships: [],
      },
    });
    expect((await personWithoutOrganization.graph('{ organization { id } }')).code).toBe(
      'FORBIDDEN',
    );
  });

  it('A former administrator can manage nothing from the next request on', async () => {
    const user = await second.member('demoted@organizations.example');
    const demoted = await signIn(app, user.id);
    const key = { organizationId_userId: { organizationId: second.id, userId: user.id } };
    await app.database.prisma.membership.update({ where: key, data: { role: 'ADMIN' } });
    expect((await demoted.graph('{ users { totalCount } }')).data).toEqual({
      users: { totalCount: 4 },
    });
    await app.database.prisma.membership.update({ where: key, data: { role: 'MEMBER' } });
    expect((await demoted.graph('{ users { totalCount } }')).code).toBe('FORBIDDEN');
  });
});

describe('an anonymous request', () => {
  it('The viewer of an anonymous request is null', async () => {
    const { body } = await app.request('POST', '/graphql', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ viewer { kind } }' }),
    });
    expect(body).toEqual({ data: { viewer: null } });
  });
});
