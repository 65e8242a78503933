import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSetupLink } from '../../../../src/modules/accounts/setup/create-setup-link.ts';
import { graphAnswerOf } from '../../../support/answers.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { cookieOf, postJson, sessionWith } from '../../../support/sign-in.ts';

const hour = 3_600_000;
const password = 'my first long password';
const mutation = `mutation ($token: String!, $organizationName: String!, $firstName: String!, $lastName: String!, $email: EmailAddress!, $password: String!) {
  completeSetup(input: { token: $token, organizationName: $organizationName, firstName: $firstName, lastName: $lastName, email: $email, password: $password }) {
    organizationKey organization { id slug name features memberCount }
  }
}`;

const setupResult = z
  .object({ organizationKey: z.string(), organization: z.record(z.string(), z.unknown()) })
  .optional();
let app: TestApp;
let now: Date;

beforeEach(async () => {
  now = new Date();
  app = await testApp({}, { clock: () => now });
});
afterEach(() => app.close());

const link = () => createSetupLink({ database: app.database, clock: () => now });
const tokenOf = (path: string | null) =>
  new URL(path ?? '', 'http://atrium.test').searchParams.get('token') ?? '';
const input = {
  organizationName: 'Bäckerei Öz & Söhne',
  firstName: 'Ada',
  lastName: 'Amsel',
  email: 'Ada@First.example',
  password,
};

async function complete(token: string, overrides: Partial<typeof input> = {}) {
  const answer = await postJson(app, '/graphql', {
    query: mutation,
    variables: { token, ...input, ...overrides },
  });
  const { data, errors } = graphAnswerOf(answer);
  return {
    done: setupResult.parse(data?.['completeSetup'] ?? undefined),
    code: errors[0]?.extensions?.code,
    message: errors[0]?.message,
  };
}

describe('the set-up link', () => {
  it('The link creates the first organization, its administrator and a valid key', async () => {
    const { done } = await complete(tokenOf(await link()));
    expect(done).toEqual({
      organizationKey: expect.stringMatching(/^sk_svc_um_\w{38}$/),
      organization: {
        id: expect.any(String),
        slug: 'backerei-oz-sohne',
        name: input.organizationName,
        features: ['ASSISTANT_FILES', 'USER_MANAGEMENT'],
        memberCount: 1,
      },
    });
    const { body } = await app.callerWith(done?.organizationKey ?? '')(
      'GET',
      '/api/user-management/v1/users',
    );
    expect(body).toMatchObject({
      total: 1,
      users: [{ email: 'ada@first.example', firstName: 'Ada', lastName: 'Amsel', isAdmin: true }],
    });

    const signedIn = await postJson(app, '/auth/sign-in/email', {
      email: 'ada@first.example',
      password,
    });
    const { data } = await sessionWith(app, cookieOf(signedIn)).graph(
      '{ viewer { isAdmin } auditEntries { nodes { action actorKind changes { field value } } } }',
    );
    expect(data).toEqual({
      viewer: { isAdmin: true },
      auditEntries: {
        // Both have the same time on the test's clock.
        nodes: expect.arrayContaining([
          { action: 'sign-in', actorKind: 'SESSION', changes: [] },
          {
            action: 'complete-setup',
            actorKind: 'SYSTEM',
            changes: expect.arrayContaining([
              { field: 'slug', value: 'backerei-oz-sohne' },
              { field: 'name', value: input.organizationName },
              { field: 'email', value: 'ada@first.example' },
            ]),
          },
        ]),
      },
    });
  });

  it('The link works exactly once, even if fifty requests use it at the same time', async () => {
    const token = tokenOf(await link());
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        complete(token, { email: `ada-${index}@first.example` }),
      ),
    );
    expect(results.filter(({ done }) => done)).toHaveLength(1);
    expect(results.filter(({ code }) => code === 'FORBIDDEN')).toHaveLength(49);
    const { prisma } = app.database;
    expect([
      await prisma.organization.count(),
      await prisma.user.count(),
      await prisma.apiKey.count(),
      await prisma.auditEntry.count(),
    ]).toEqual([1, 1, 1, 1]);
    expect((await complete(token)).code).toBe('FORBIDDEN');
  });

  it('The link expires after a day', async () => {
    const token = tokenOf(await link());
    now = new Date(now.getTime() + 24 * hour);
    expect((await complete(token)).code).toBe('FORBIDDEN');
    expect(await app.database.prisma.organization.count()).toBe(0);
  });

  it('A new link replaces the previous one', async () => {
    const old = tokenOf(await link());
    const latest = tokenOf(await link());
    expect((await complete(old)).code).toBe('FORBIDDEN');
    expect((await complete(latest)).done).toBeDefined();
  });

  it('No link is created once there is an organization, and an existing link ends then', async () => {
    const token = tokenOf(await link());
    await app.organization();
    expect(await link()).toBeNull();
    expect((await complete(token)).code).toBe('FORBIDDEN');
  });

  it('The link stays valid after invalid input or a taken address', async () => {
    const token = tokenOf(await link());
    await app.database.prisma.user.create({
      data: {
        id: 'taken',
        email: 'taken@first.example',
        emailVerified: true,
        accounts: { create: { id: 'taken', accountId: 'taken', providerId: 'oidc' } },
      },
    });
    expect((await complete(token, { password: 'nine char' })).code).toBe('BAD_INPUT');
    expect((await complete(token, { password: '🔑'.repeat(9) })).code).toBe('BAD_INPUT');
    for (const easy of ['1234567890', 'Ada.Amsel1', 'Bäckerei2026']) {
      expect(await complete(token, { password: easy })).toMatchObject({
        code: 'BAD_INPUT',
        message: expect.stringContaining('not easy to guess'),
      });
    }
    expect((await complete('another token', { password: '1234567890' })).code).toBe('FORBIDDEN');
    expect((await complete(token, { organizationName: ' ' })).code).toBe('BAD_INPUT');
    expect(await complete(token, { email: 'taken@first.example' })).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/already/),
    });
    expect((await complete(token)).done).toBeDefined();
  });

  it('The administrator gets an address that a stranger signed up with, without the stranger’s password and session', async () => {
    const email = input.email.toLowerCase();
    const strangers = { email, password: 'chosen by a stranger', firstName: 'Mallory' };
    const session = sessionWith(
      app,
      cookieOf(await postJson(app, '/auth/sign-up/email', strangers)),
    );
    expect((await complete(tokenOf(await link()))).done).toBeDefined();
    expect((await session.graph('{ viewer { kind } }')).data).toEqual({ viewer: null });
    expect((await postJson(app, '/auth/sign-in/email', strangers)).status).toBe(401);
    expect((await postJson(app, '/auth/sign-in/email', { email, password })).status).toBe(200);
    const administrator = await app.database.prisma.user.findUnique({
      where: { email },
      select: { firstName: true, emailVerified: true },
    });
    expect(administrator).toEqual({ firstName: 'Ada', emailVerified: true });
  });

  it('An unknown token is rejected', async () => {
    await link();
    for (const token of ['', 'setup', '\0', '%', 'a'.repeat(100_000)])
      expect((await complete(token)).code).toBe('FORBIDDEN');
  });

  it('Token, password and key are neither stored in plain text nor logged', async () => {
    const token = tokenOf(await link());
    const { done } = await complete(token);
    await link();
    const { prisma } = app.database;
    const stored = JSON.stringify([
      await prisma.verification.findMany(),
      await prisma.account.findMany(),
      await prisma.apiKey.findMany(),
      // JSON has no bigint.
      await prisma.auditEntry.findMany({ omit: { position: true, txId: true } }),
    ]);
    for (const secret of [token, password, done?.organizationKey ?? '']) {
      expect(stored).not.toContain(secret);
      expect(app.logLines.join('')).not.toContain(secret);
    }
    expect(app.logLines.length).toBeGreaterThan(0);
  });
});
