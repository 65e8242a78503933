import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { createApp } from '../../src/app.ts';
import { createAccount } from '../../src/modules/accounts/sign-up/create-account.ts';
import { createKey } from '../../src/modules/api-keys/create-key.ts';
import { createOrganization } from '../../src/modules/organizations/create-organization.ts';
import { features as allFeatures } from '../../src/modules/organizations/features.ts';
import { joinOrganization } from '../../src/modules/organizations/join-organization.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';
import { readEnv } from '../../src/platform/env.ts';
import { createLog } from '../../src/platform/log.ts';
import type { areas } from '../../src/rest/routes.ts';
import type { VaultClient } from '../../src/vault/client.ts';
import { type GraphFault, graphAnswerOf } from './answers.ts';
import { testDatabase } from './database.ts';
import { expectDocumented } from './openapi.ts';

export type TestResponse = {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown>;
};
export type CallApi = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<TestResponse>;

const referencePaths = /^\/api\/(docs|openapi\.(json|yaml))(\/|$)/;

type KeyKind = (typeof areas)[number]['key'];
type TestSettings = Record<string, string>;

/**
 * The real application on a new database, in this process. `settings` are environment variables.
 */
export async function testApp(
  settings: TestSettings = {},
  {
    clock = () => new Date(),
    vault,
    database: ownDatabase,
  }: { clock?: Clock; vault?: VaultClient; database?: Database } = {},
) {
  const database = ownDatabase ?? (await testDatabase());
  return createTestApp(database, { ...separateRedisKeys(), ...settings }, clock, vault);
}

/**
 * A key prefix per test, so that tests do not use up each other's rate limits; the twins of one
 * application share it.
 */
function separateRedisKeys(): TestSettings {
  const { TEST_REDIS_URL } = process.env;
  return TEST_REDIS_URL ? { REDIS_URL: `${TEST_REDIS_URL}?keyPrefix=${randomUUID()}:` } : {};
}

export type TestApp = Awaited<ReturnType<typeof testApp>>;

async function createTestApp(
  database: Database & { url?: string },
  settings: TestSettings,
  clock: Clock,
  vault?: VaultClient,
) {
  const env = readEnv({
    NODE_ENV: 'test',
    LOG_FORMAT: 'json',
    DATA_DIR: ':memory:',
    REDEMPTION_LIMIT: '1000',
    ORGANIZATION_LIMIT: '1000000',
    ...settings,
  });
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const log = createLog(env, sink);
  // Vitest keeps the variables of every test file, and these functions in them, until the worker
  // ends. After close they must not keep the application, which takes 10 MB.
  const running = {
    app: await createApp({ env, database, log, clock, ...(vault && { vault }) }),
    database,
  };

  /** Sends any request. Responses below /api are checked against the OpenAPI document. */
  async function request(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: BodyInit } = {},
  ): Promise<TestResponse> {
    const response = await running.app.fetch(
      new Request(`http://atrium.test${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      }),
    );
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: parseBody(text),
    };
    const [pathname = ''] = path.split('?');
    if (/^\/api(\/|$)/.test(pathname) && !referencePaths.test(pathname))
      expectDocumented(answer, method, pathname);
    return answer;
  }

  /** Calls a REST path with a key. An object is sent as JSON. */
  const callerWith =
    (key: string): CallApi =>
    (method, path, body, headers = {}) =>
      request(method, path, {
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });

  /** Runs a GraphQL operation with a key. */
  async function graph(
    key: string,
    query: string,
    variables: Record<string, unknown> = {},
  ): Promise<{ data: Record<string, unknown> | null; errors: GraphFault[]; answer: TestResponse }> {
    const answer = await callerWith(key)('POST', '/graphql', { query, variables });
    return { ...graphAnswerOf(answer), answer };
  }

  let organizationCount = 0;

  /** An organization with an administrator and an organization key. */
  async function organization({
    features = allFeatures,
    seatLimit = null,
  }: {
    features?: readonly string[];
    seatLimit?: number | null;
  } = {}) {
    organizationCount += 1;
    const slug = `organization-${organizationCount}`;
    const created = await inTransaction(running.database, async (tx) => {
      const at = clock();
      const administrator = await createAccount(
        {
          email: `admin@${slug}.example`,
          firstName: 'Ada',
          lastName: slug,
          passwordHash: 'none',
          at,
          emailVerified: true,
        },
        tx,
      );
      const { id, defaultTeamId } = await createOrganization(
        { slug, name: slug, features, seatLimit, administrator, at },
        tx,
      );
      const { id: keyId, key } = await createKey(
        {
          kind: 'ORGANIZATION',
          organizationId: id,
          userId: null,
          name: 'test',
          createdById: null,
          at,
        },
        tx,
      );
      return { id, slug, defaultTeamId, administratorId: administrator.id, keyId, key };
    });
    const call = callerWith(created.key);
    const userKey = (userId: string, { expiresAt = null }: { expiresAt?: Date | null } = {}) =>
      inTransaction(running.database, (tx) =>
        createKey(
          {
            kind: 'USER',
            organizationId: created.id,
            userId,
            name: 'test',
            expiresAt,
            createdById: userId,
            at: clock(),
          },
          tx,
        ),
      );
    let administratorKey: ReturnType<typeof userKey> | undefined;
    /** The organization key, or a user key of the administrator, which is created on first use. */
    const keyOf = async (kind: KeyKind): Promise<string> => {
      if (kind === 'ORGANIZATION_KEY') return created.key;
      administratorKey ??= userKey(created.administratorId);
      return (await administratorKey).key;
    };
    return {
      ...created,
      /** Calls a User Management path with the organization's key. */
      manage: (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
        call(method, `/api/user-management/v1${path}`, body, headers),
      call,
      /** Calls a path with the kind of key that it requires. */
      callWith: async (kind: KeyKind, ...request: Parameters<CallApi>) =>
        callerWith(await keyOf(kind))(...request),
      keyOf,
      /** Creates a member with a verified address, without the API. */
      async member(
        email: string,
        { firstName = '', lastName = '' }: { firstName?: string; lastName?: string } = {},
      ) {
        return inTransaction(running.database, async (tx) => {
          const at = clock();
          const user = await createAccount(
            { email, firstName, lastName, passwordHash: 'none', at, emailVerified: true },
            tx,
          );
          await joinOrganization({ organizationId: created.id, user, at }, tx);
          return user;
        });
      },
      userKey,
      async organizationKey({ expiresAt = null }: { expiresAt?: Date | null } = {}) {
        return inTransaction(running.database, (tx) =>
          createKey(
            {
              kind: 'ORGANIZATION',
              organizationId: created.id,
              userId: null,
              name: 'test',
              expiresAt,
              createdById: null,
              at: clock(),
            },
            tx,
          ),
        );
      },
    };
  }

  const { app } = running;
  const testApplication = {
    database,
    /** The parts of a context besides its viewer. */
    contextParts: {
      ...app.services,
      origin: 'http://atrium.test',
      clientInfo: {
        address: undefined,
        userAgent: null,
        cookie: () => undefined,
        setCookie: () => {},
        setHeader: () => {},
      },
      signal: new AbortController().signal,
      isStillAdmitted: async () => true,
      currentViewer: async () => null,
      identifyAgain: async () => null,
    },
    request,
    fetch: app.fetch,
    startProcessing: app.startProcessing,
    /** Resolves when the work in progress besides requests has ended. */
    stopProcessing: app.stopProcessing,
    storeUsage: app.storeUsage,
    stop: app.stop,
    callerWith,
    graph,
    organization,
    listener: app.listener,
    logLines: lines,
    /** The application of a second process on the same database. */
    twin: () => createTestApp(running.database, settings, clock, vault),
    async close(): Promise<void> {
      if (!('app' in running)) return;
      await running.app.close();
      await running.database.close();
      for (const closed of [running, testApplication])
        for (const name of Object.keys(closed))
          if (!keptAfterClose.has(name)) Reflect.deleteProperty(closed, name);
    },
  };
  return testApplication;
}

const keptAfterClose = new Set(['logLines', 'close']);

export type TestOrganization = Awaited<ReturnType<TestApp['organization']>>;

function parseBody(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
