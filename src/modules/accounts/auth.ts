import { prismaAdapter } from 'better-auth/adapters/prisma';
import { betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { Env } from '../../platform/env.ts';
import { newId } from '../../platform/ids.ts';
import type { Limits } from '../../platform/limits.ts';
import { admitStranger } from './admit-stranger.ts';
import { clientHeader } from './client-header.ts';
import { emailVerification } from './email-verification.ts';
import { noteSignIn } from './note-sign-in.ts';
import type { AccountParts } from './parts.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { passwordReset } from './password-reset.ts';
import { providerSignIn } from './provider-sign-in.ts';
import { providersOf } from './providers.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';

type AuthParts = AccountParts & { env: Pick<Env, 'ORIGIN' | 'CORS_ORIGINS' | 'SIGN_IN_PROVIDERS'>; secret: string };

export type Auth = ReturnType<typeof createAuth>;

const day = 86_400;
const requestsAMinute = 60;
const mailsAMinute = 20;

/** People’s sign-in: better-auth on our tables, with calls of ours where it knows less of addresses or tells more of them. */
export function createAuth({ env, secret, ...parts }: AuthParts) {
  const { ORIGIN, CORS_ORIGINS, SIGN_IN_PROVIDERS = {} } = env;
  const { database, limits, log } = parts;
  const providers = providersOf(SIGN_IN_PROVIDERS, { database });
  return betterAuth({
    ...(ORIGIN === undefined ? {} : { baseURL: ORIGIN }),
    basePath: '/auth',
    secret,
    database: prismaAdapter(database.prisma, { provider: 'postgresql' }),
    // Without ORIGIN a request's own address counts as ours.
    trustedOrigins: (request) => [ORIGIN ?? (request && new URL(request.url).origin), ...CORS_ORIGINS],
    user: {
      fields: { name: 'firstName' },
      additionalFields: { lastName: { type: 'string', required: false } },
    },
    session: { expiresIn: 7 * day, updateAge: day },
    socialProviders: providers.social,
    account: { updateAccountOnSignIn: false },
    emailAndPassword: { enabled: true, disableSignUp: true, password: { hash: hashPassword, verify: verifyPassword } },
    databaseHooks: {
      user: { create: { before: (user) => admitStranger(user, parts) } },
      // We ask the other sites nothing more, so their keys are not for keeping.
      account: { create: { before: async (account) => ({ data: { ...account, accessToken: null, refreshToken: null, idToken: null } }) } },
      session: {
        create: { after: ({ userId }) => noteSignIn(userId, parts) },
      },
    },
    rateLimit: {
      enabled: true,
      window: 60,
      max: requestsAMinute,
      // Every page asks who is signed in, and a whole office can share an address.
      customRules: {
        '/sign-in/*': { window: 60, max: requestsAMinute },
        '/sign-up/*': { window: 60, max: requestsAMinute },
        '/request-password-reset': { window: 60, max: mailsAMinute },
        '/send-verification-email': { window: 60, max: mailsAMinute },
        '/get-session': false,
      },
      customStorage: countedBy(limits),
    },
    plugins: [signIn(parts), signUp(parts), passwordReset(parts), emailVerification(parts), providerSignIn(parts), genericOAuth({ config: providers.generic })],
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
    onAPIError: { throw: true, errorURL: '/auth' },
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
