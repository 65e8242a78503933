import { prismaAdapter } from 'better-auth/adapters/prisma';
import { betterAuth } from 'better-auth/minimal';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Env } from '../../platform/env.ts';
import { newId } from '../../platform/ids.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Log } from '../../platform/log.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { signIn } from './sign-in.ts';

type AuthParts = { env: Pick<Env, 'ORIGIN' | 'CORS_ORIGINS'>; secret: string; database: Database; limits: Limits; clock: Clock; log: Log };

export type Auth = ReturnType<typeof createAuth>;

/** Where the address that a request came from is noted; what a client sends under this name is replaced. */
export const clientHeader = 'x-atrium-client';

const day = 86_400;
const requestsAMinute = 60;

/** People’s sign-in: better-auth on our tables. Accounts are not made here: people come by invitation or by the set-up link. */
export function createAuth({ env, secret, database, limits, clock, log }: AuthParts) {
  const { ORIGIN, CORS_ORIGINS } = env;
  return betterAuth({
    ...(ORIGIN === undefined ? {} : { baseURL: ORIGIN }),
    basePath: '/auth',
    secret,
    database: prismaAdapter(database.prisma, { provider: 'postgresql' }),
    // Without ORIGIN a request's own address counts as ours.
    trustedOrigins: (request) => [ORIGIN ?? (request && new URL(request.url).origin), ...CORS_ORIGINS],
    user: {
      fields: { name: 'firstName' },
      additionalFields: { lastName: { type: 'string', required: false, input: false } },
    },
    session: { expiresIn: 7 * day, updateAge: day },
    emailAndPassword: { enabled: true, disableSignUp: true, password: { hash: hashPassword, verify: verifyPassword } },
    databaseHooks: {
      session: {
        create: { after: async ({ userId }) => void (await database.prisma.user.updateMany({ where: { id: userId }, data: { lastLogin: clock() } })) },
      },
    },
    rateLimit: {
      enabled: true,
      window: 60,
      max: requestsAMinute,
      // Every page asks who is signed in, and a whole office can share an address.
      customRules: { '/sign-in/*': { window: 60, max: requestsAMinute }, '/get-session': false },
      customStorage: countedBy(limits),
    },
    plugins: [signIn({ limits })],
    advanced: {
      cookiePrefix: 'atrium',
      useSecureCookies: ORIGIN?.startsWith('https:') === true,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      // Both are off by default under NODE_ENV=test.
      disableCSRFCheck: false,
      disableOriginCheck: false,
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [clientHeader] },
    },
    // What is no refusal is thrown on, to be logged and masked like everywhere else.
    onAPIError: { throw: true },
    logger: { level: 'error', log: (_, message) => log.error({ part: 'auth' }, message) },
    telemetry: { enabled: false },
  });
}

// The window of our limits is a minute, as in the rules above; with Redis all processes count together.
const countedBy = (limits: Limits) => ({
  get: async () => null,
  set: async () => undefined,
  consume: async (key: string, { max }: { max: number }) => {
    const { exceeded, retryAfterSeconds } = await limits.take(`auth:${key}`, max);
    return { allowed: !exceeded, retryAfter: exceeded ? retryAfterSeconds : null };
  },
});
