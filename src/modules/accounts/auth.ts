import { prismaAdapter } from 'better-auth/adapters/prisma';
import { createAuthMiddleware } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { cookieName } from '../../platform/cookies.ts';
import type { Env } from '../../platform/env.ts';
import { newId } from '../../platform/ids.ts';
import type { Limits } from '../../platform/limits.ts';
import type { AccountServices } from './account-services.ts';
import { authorizeProviderSignUp } from './authorize-provider-sign-up.ts';
import { clientHeader } from './client-header.ts';
import { emailVerification } from './email-verification.ts';
import { createKnownDevices } from './known-device.ts';
import { linkProvider, notifyOfProvider } from './link-provider.ts';
import { noteSignIn } from './note-sign-in.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { passwordReset } from './password-reset.ts';
import { providerSignIn } from './provider-sign-in.ts';
import { providersOf } from './providers.ts';
import { passkeySignIn } from './second-factor/passkey-sign-in.ts';
import { requireSecondFactor } from './second-factor/require-second-factor.ts';
import { secondStep } from './second-factor/second-step.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { storedSessions } from './stored-sessions.ts';

type AuthParts = Omit<AccountServices, 'devices'> & {
  env: Pick<
    Env,
    'ORIGIN' | 'CORS_ORIGINS' | 'SIGN_IN_PROVIDERS' | 'SESSION_IDLE_DAYS' | 'SESSION_DAYS_MAX'
  >;
  secret: string;
};

export type Auth = ReturnType<typeof createAuth>;

const day = 86_400;
const requestsAMinute = 60;
const mailsAMinute = 20;

/**
 * People’s sign-in: better-auth on our tables, with calls of ours where it knows less of addresses
 * or tells more of them.
 */
export function createAuth({ env, secret, ...given }: AuthParts) {
  const { ORIGIN, CORS_ORIGINS, SIGN_IN_PROVIDERS = {} } = env;
  const isHttps = ORIGIN?.startsWith('https:') === true;
  const parts: AccountServices = {
    ...given,
    devices: createKnownDevices({ secret, clock: given.clock, isHttps }),
  };
  const { database, limits, log } = parts;
  const providers = providersOf(SIGN_IN_PROVIDERS);
  return betterAuth({
    ...(ORIGIN === undefined ? {} : { baseURL: ORIGIN }),
    basePath: '/auth',
    secret,
    database: storedSessions(prismaAdapter(database.prisma, { provider: 'postgresql' }), {
      daysMax: env.SESSION_DAYS_MAX,
      clock: parts.clock,
    }),
    // Without ORIGIN a request's own address counts as ours.
    trustedOrigins: (request) => [
      ORIGIN ?? (request && new URL(request.url).origin),
      ...CORS_ORIGINS,
    ],
    user: {
      fields: { name: 'firstName' },
      additionalFields: { lastName: { type: 'string', required: false } },
    },
    session: {
      expiresIn: env.SESSION_IDLE_DAYS * day,
      // A session in use is renewed each day where it ends after seven.
      updateAge: Math.floor((env.SESSION_IDLE_DAYS * day) / 7),
      additionalFields: {
        authenticatedAt: { type: 'date', required: false, input: false, returned: false },
        secondFactorAt: { type: 'date', required: false, input: false, returned: false },
      },
    },
    socialProviders: providers.social,
    // The hook below claims an account before another site is linked to it.
    account: { updateAccountOnSignIn: false, accountLinking: { requireLocalEmailVerified: false } },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    databaseHooks: {
      user: { create: { before: (user) => authorizeProviderSignUp(user, parts) } },
      account: {
        create: {
          before: (account) => linkProvider(account, parts),
          after: (account, ctx) => notifyOfProvider(account, ctx?.request, parts),
        },
      },
      session: {
        create: {
          before: async (session, ctx) => {
            await requireSecondFactor(session, ctx, parts);
            return { data: { ...session, authenticatedAt: parts.clock() } };
          },
          after: ({ userId }, ctx) =>
            noteSignIn(
              {
                userId,
                headers: ctx?.headers ?? ctx?.request?.headers,
                origin: ctx?.request && parts.originOf(ctx.request),
              },
              parts,
            ),
        },
      },
    },
    hooks: {
      // Whatever way somebody signed in, the account knows this browser from now on.
      after: createAuthMiddleware(async (ctx) => {
        const email = ctx.context.newSession?.user.email;
        // A session that is only renewed is no sign-in.
        if (email === undefined || ctx.path === '/get-session') return;
        const { name, value, maxAge } = parts.devices.cookieFor(email, ctx.headers);
        ctx.setCookie(name, value, {
          ...{ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps },
          // A sign-in that is to end with the browser leaves nothing in it.
          ...(Object(ctx.body).rememberMe === false ? {} : { maxAge }),
        });
      }),
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
    plugins: [
      signIn(parts),
      secondStep(parts),
      passkeySignIn(parts),
      signUp(parts),
      passwordReset(parts),
      emailVerification(parts),
      providerSignIn(parts),
      genericOAuth({ config: providers.generic }),
    ],
    advanced: {
      // The prefix __Host- that better-auth does not know; with its own, __Secure-, a sibling
      // domain could set our cookies.
      cookiePrefix: cookieName('atrium', isHttps),
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure: isHttps, path: '/' },
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

// The window of our limits is a minute, as in the rules above; with Redis all processes count
// together.
const countedBy = (limits: Limits) => ({
  get: async () => null,
  set: async () => undefined,
  consume: async (key: string, { max }: { max: number }) => {
    const { exceeded, retryAfterSeconds } = await limits.take(`auth:${key}`, max);
    return { allowed: !exceeded, retryAfter: exceeded ? retryAfterSeconds : null };
  },
});
