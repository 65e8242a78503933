import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';
import { watchStatements } from '../../support/statements.ts';

type ApiKeyFields = {
  id: string;
  kind: string;
  name: string;
  prefix: string;
  lastFour: string;
  revokedAt: string | null;
  owner: { id: string } | null;
};
type CreatedKeyResult = { key: string; apiKey: ApiKeyFields };

const fields =
  '{ id kind name prefix lastFour createdAt lastUsedAt expiresAt revokedAt limitPerMinute owner { id } }';
const createUserKey = `mutation ($name: String!, $expiresAt: DateTime) { result: createUserKey(input: { name: $name, expiresAt: $expiresAt }) { key apiKey ${fields} } }`;
const createOrganizationKey = createUserKey.replace('createUserKey', 'createOrganizationKey');
const revoke = `mutation ($id: ID!) { result: revokeApiKey(input: { id: $id }) { apiKey ${fields} } }`;
const unknownId = '01890000-0000-7000-8000-000000000000';

let app: TestApp;
let owner: TestOrganization;
let admin: TestSession;
let memberId: string;
let member: TestSession;

beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '10000', USER_KEY_LIMIT: '10000' });
  owner = await app.organization();
  admin = await signIn(app, owner.administratorId);
  memberId = (await owner.member('member@keys.example')).id;
  member = await signIn(app, memberId);
});
afterAll(() => app.close());

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

async function createKey(
  session: TestSession,
  mutation: string,
  variables: Record<string, unknown> = {},
): Promise<CreatedKeyResult> {
  const { data, errors } = await session.graph<{ result: CreatedKeyResult }>(mutation, {
    name: 'Made in a test',
    ...variables,
  });
  if (!data) throw new Error(JSON.stringify(errors));
  return data.result;
}

const isAccepted = async (key: string) =>
  (await app.graph(key, '{ viewer { kind } }')).answer.status === 200;
const lines = (targetId: string) =>
  app.database.prisma.auditEntry.findMany({
    where: { targetId },
    select: { action: true, actorKind: true, actorUserId: true, changes: true },
    orderBy: { id: 'asc' },
  });

describe('the mutation createUserKey', () => {
  it('A user key is shown once, acts as its owner, and is stored as a hash only', async () => {
    const expiresAt = inHours(1);
    const { key, apiKey } = await createKey(member, createUserKey, { name: ' My key ', expiresAt });
    expect(key).toMatch(/^sk_svc_[0-9A-Za-z]{38}$/);
    expect(apiKey).toEqual({
      id: expect.any(String),
      kind: 'USER',
      name: 'My key',
      prefix: 'sk_svc_',
      lastFour: key.slice(-4),
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: null,
      expiresAt,
      revokedAt: null,
      limitPerMinute: null,
      owner: { id: memberId },
    });
    expect(
      (await app.graph(key, '{ viewer { kind person { id } organization { id } } }')).data,
    ).toEqual({
      viewer: { kind: 'USER_KEY', person: { id: memberId }, organization: { id: owner.id } },
    });
    const row = await app.database.prisma.apiKey.findUniqueOrThrow({ where: { id: apiKey.id } });
    expect(JSON.stringify(row)).not.toContain(key.slice(7));
    expect(row.hash).toHaveLength(32);
    expect(await lines(apiKey.id)).toEqual([
      {
        action: 'create-user-key',
        actorKind: 'SESSION',
        actorUserId: memberId,
        changes: { name: 'My key', expiresAt },
      },
    ]);
    expect(app.logLines.join('')).not.toContain(key);
  });

  it('An API key cannot create keys', async () => {
    const { key } = await owner.userKey(memberId);
    for (const credential of [key, owner.key]) {
      const { data, errors } = await app.graph(credential, createUserKey, { name: 'No' });
      expect({ data, code: errors[0]?.extensions?.code }).toEqual({
        data: { result: null },
        code: 'FORBIDDEN',
      });
    }
  });

  it.each([
    ['an expiry in the past', { expiresAt: inHours(-1) }],
    ['an expiry that is not a time', { expiresAt: 'tomorrow' }],
    ['an empty name', { name: '  ' }],
    ['a name of 201 characters', { name: 'x'.repeat(201) }],
    ['a name with a NUL', { name: 'a\0b' }],
  ])('A key with %s is rejected and nothing is created', async (_, variables) => {
    const before = await app.database.prisma.apiKey.count();
    expect((await member.graph(createUserKey, { name: 'Key', ...variables })).code).toBe(
      'BAD_INPUT',
    );
    expect(await app.database.prisma.apiKey.count()).toBe(before);
  });
});

describe('the mutation createOrganizationKey', () => {
  it('An administrator creates a key of the organization', async () => {
    const { key, apiKey } = await createKey(admin, createOrganizationKey);
    expect(key).toMatch(/^sk_svc_um_[0-9A-Za-z]{38}$/);
    expect(apiKey).toMatchObject({ kind: 'ORGANIZATION', prefix: 'sk_svc_um_', owner: null });
    expect((await app.callerWith(key)('GET', '/api/user-management/v1/teams')).status).toBe(200);
    expect(await lines(apiKey.id)).toMatchObject([
      { action: 'create-organization-key', actorUserId: owner.administratorId },
    ]);
  });

  it('Only an administrator can create a key of the organization', async () => {
    const { key } = await owner.userKey(owner.administratorId);
    expect((await member.graph(createOrganizationKey, { name: 'No' })).code).toBe('FORBIDDEN');
    for (const credential of [key, owner.key]) {
      expect(
        (await app.graph(credential, createOrganizationKey, { name: 'No' })).errors[0]?.extensions
          ?.code,
      ).toBe('FORBIDDEN');
    }
  });
});

describe('the mutation revokeApiKey', () => {
  it('A revoked key is rejected at once, and revoking it again changes nothing', async () => {
    const { key, apiKey } = await createKey(member, createUserKey);
    expect(await isAccepted(key)).toBe(true);
    const first = await member.graph<{ result: { apiKey: ApiKeyFields } }>(revoke, {
      id: apiKey.id,
    });
    expect(first.data?.result.apiKey.revokedAt).toMatch(/Z$/);
    expect(await isAccepted(key)).toBe(false);
    expect(
      (await member.graph<{ result: { apiKey: ApiKeyFields } }>(revoke, { id: apiKey.id })).data
        ?.result.apiKey.revokedAt,
    ).toBe(first.data?.result.apiKey.revokedAt);
    expect(await lines(apiKey.id)).toMatchObject([
      { action: 'create-user-key' },
      { action: 'revoke-api-key', actorUserId: memberId },
    ]);
  });

  it('An administrator can revoke keys of the organization', async () => {
    const { key, apiKey } = await createKey(admin, createOrganizationKey);
    expect(await isAccepted(key)).toBe(true);
    await admin.graph(revoke, { id: apiKey.id });
    expect(await isAccepted(key)).toBe(false);
  });

  it('A key that the viewer may not revoke is not found and not changed', async () => {
    const rival = await app.organization();
    const { key: rivalKey, id: rivalKeyId } = await rival.organizationKey();
    const { key: organizationKey, apiKey } = await createKey(admin, createOrganizationKey);
    const { key: otherKey, id: otherKeyId } = await owner.userKey(owner.administratorId);
    const { key: memberKey, id: memberKeyId } = await owner.userKey(memberId);
    const attempts: [TestSession, string][] = [
      [admin, rivalKeyId],
      [member, apiKey.id],
      [member, otherKeyId],
      [admin, memberKeyId],
      [admin, unknownId],
      [admin, ''],
    ];
    for (const [session, id] of attempts) {
      expect(await session.graph(revoke, { id })).toMatchObject({
        data: null,
        errors: [{ message: 'API key not found', extensions: { code: 'NOT_FOUND' } }],
      });
    }
    for (const key of [rivalKey, organizationKey, otherKey, memberKey])
      expect(await isAccepted(key)).toBe(true);
  });
});

it('A revoked key is rejected within a second in every process whose clock was set back', async () => {
  let now = new Date();
  const clocked = await testApp({}, { clock: () => now });
  const twin = await clocked.twin();
  const organization = await clocked.organization();
  const { key, id } = await organization.organizationKey();
  const administrator = await signIn(clocked, organization.administratorId);
  const statusInTwin = async () => (await twin.graph(key, '{ viewer { kind } }')).answer.status;
  expect(await statusInTwin()).toBe(200);
  now = new Date(now.getTime() - 3_600_000);
  expect((await administrator.graph(revoke, { id })).errors).toEqual([]);
  await expect.poll(statusInTwin, { interval: 50, timeout: 5_000 }).toBe(401);
  await twin.close();
  await clocked.close();
});

describe('the expiry of a key', () => {
  it('A key is rejected from the moment it expires', async () => {
    let now = new Date();
    const clocked = await testApp({}, { clock: () => now });
    const expiresAt = new Date(now.getTime() + 500);
    const { key } = await (await clocked.organization()).organizationKey({ expiresAt });
    const statusAt = async (time: number) => {
      now = new Date(time);
      return (await clocked.graph(key, '{ viewer { kind } }')).answer.status;
    };
    // This request comes within the second for which a key is cached.
    expect(await statusAt(expiresAt.getTime() - 1)).toBe(200);
    expect(await statusAt(expiresAt.getTime())).toBe(401);
    await clocked.close();
  });
});

describe('the lists of keys', () => {
  const page = (nodes: unknown[], rest: object) => ({ result: { nodes, ...rest } });
  const listed = (field: string) =>
    `query ($page: SafeInt!, $pageSize: Int!) { result: ${field}(page: $page, pageSize: $pageSize) { nodes { id name } totalCount page pageSize totalPages } }`;

  it('The lists have the viewer’s own keys or, for an administrator, the organization’s, newest first', async () => {
    const ours = await app.organization();
    const administrator = await signIn(app, ours.administratorId);
    const ownKeys = [
      await createKey(administrator, createUserKey, { name: 'first' }),
      await createKey(administrator, createUserKey, { name: 'second' }),
      await createKey(administrator, createUserKey, { name: 'third' }),
    ];
    await ours.userKey((await ours.member(`${ours.slug}@keys.example`)).id);
    const [first, second, third] = ownKeys.map(({ apiKey: { id, name } }) => ({ id, name }));
    expect((await administrator.graph(listed('myApiKeys'), { page: 1, pageSize: 2 })).data).toEqual(
      page([third, second], { totalCount: 3, page: 1, pageSize: 2, totalPages: 2 }),
    );
    expect((await administrator.graph(listed('myApiKeys'), { page: 2, pageSize: 2 })).data).toEqual(
      page([first], { totalCount: 3, page: 2, pageSize: 2, totalPages: 2 }),
    );
    expect(
      (
        await administrator.graph(listed('myApiKeys'), {
          page: 9_007_199_254_740_991,
          pageSize: 100,
        })
      ).data,
    ).toMatchObject(page([], { totalCount: 3 }));
    expect((await administrator.graph(listed('apiKeys'), { page: 1, pageSize: 2 })).data).toEqual(
      page([{ id: ours.keyId, name: 'test' }], {
        totalCount: 1,
        page: 1,
        pageSize: 2,
        totalPages: 1,
      }),
    );
  });

  it('Members and API keys cannot list the organization’s keys', async () => {
    expect((await member.graph(listed('apiKeys'), { page: 1, pageSize: 2 })).code).toBe(
      'FORBIDDEN',
    );
    for (const field of ['apiKeys', 'myApiKeys']) {
      expect(
        (await app.graph(owner.key, listed(field), { page: 1, pageSize: 2 })).errors[0]?.extensions
          ?.code,
      ).toBe('FORBIDDEN');
    }
  });

  it('A list of many keys needs as many statements as a list of one', async () => {
    const watch = watchStatements(/^$/);
    const query = `query ($pageSize: Int!) { myApiKeys(pageSize: $pageSize) { totalCount nodes ${fields} } }`;
    for (let index = 0; index < 5; index += 1) await createKey(member, createUserKey);
    const one = await watch.during(() => member.graph(query, { pageSize: 1 }));
    const many = await watch.during(() =>
      member.graph<{ myApiKeys: { nodes: ApiKeyFields[] } }>(query, { pageSize: 100 }),
    );
    watch.stop();
    expect(many.result.data?.myApiKeys.nodes.length).toBeGreaterThanOrEqual(5);
    expect(many.statements).toHaveLength(one.statements.length);
  });
});

describe('the field User.apiKeyCount', () => {
  it('The field counts the valid keys with one statement for all users', async () => {
    const ours = await app.organization();
    const administrator = await signIn(app, ours.administratorId);
    await createKey(administrator, createUserKey);
    const { apiKey } = await createKey(administrator, createUserKey);
    await administrator.graph(revoke, { id: apiKey.id });
    const user = await ours.member(`counted@${ours.slug}.example`);
    await ours.userKey(user.id);
    await ours.userKey(user.id, { expiresAt: new Date(Date.now() - 1) });
    await ours.userKey(user.id, { expiresAt: new Date(Date.now() + 60_000) });
    const watch = watchStatements(/^$/);
    const { result, statements } = await watch.during(() =>
      administrator.graph('{ users { nodes { id apiKeyCount } } }'),
    );
    watch.stop();
    expect(result.data).toEqual({
      users: {
        nodes: [
          { id: user.id, apiKeyCount: 2 },
          { id: ours.administratorId, apiKeyCount: 1 },
        ],
      },
    });
    expect(statements.filter((text) => text.includes('api_keys'))).toHaveLength(1);
  });
});
