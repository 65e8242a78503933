import { prismaAdapter } from 'better-auth/adapters/prisma';
import { createAuthMiddleware } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { cookieName } from '../../http/cookies.ts';
import type { Env } from '../../platform/env.ts';
import { newId } from '../../platform/ids.ts';
import type { RateLimits } from '../../platform/limits.ts';
import type { AccountServices } from './account-services.ts';
import { clientHeader } from './client-header.ts';
import { hashPassword, verifyPassword } from './passwords/password.ts';
import { passwordReset } from './passwords/password-reset.ts';
import { passkeySignIn } from './second-factor/passkey-sign-in.ts';
import { requireSecondFactor } from './second-factor/require-second-factor.ts';
import { secondStep } from './second-factor/second-step.ts';
import { storedSessions } from './sessions/stored-sessions.ts';
import { createKnownDevices } from './sign-in/known-device.ts';
import { linkProvider, notifyOfProvider } from './sign-in/link-provider.ts';
import { providerSignIn } from './sign-in/provider-sign-in.ts';
import { providersOf } from './sign-in/providers.ts';
import { recordSignIn } from './sign-in/record-sign-in.ts';
import { signIn } from './sign-in/sign-in.ts';
import { storePageLanguage } from './sign-in/store-page-language.ts';
import { authorizeProviderSignUp } from './sign-up/authorize-provider-sign-up.ts';
import { emailVerification } from './sign-up/email-verification.ts';
import { signUp } from './sign-up/sign-up.ts';

type AuthDependencies = Omit<AccountServices, 'devices'> & {
  env: Pick<
    Env,
    'ORIGIN' | 'CORS_ORIGINS' | 'SIGN_IN_PROVIDERS' | 'SESSION_IDLE_DAYS' | 'SESSION_DAYS_MAX'
  >;
  secret: string;
};

export type Auth = ReturnType<typeof createAuth>;

const daySeconds = 86_400;
const requestsPerMinuteMax = 60;
const mailsPerMinuteMax = 20;

/**
 * The sign-in of people: better-auth on our tables. Calls of our own replace those of better-auth
 * that accept fewer e-mail addresses or that reveal which addresses have an account.
 */
export function createAuth({ env, secret, ...dependencies }: AuthDependencies) {
  const { ORIGIN, CORS_ORIGINS, SIGN_IN_PROVIDERS = {} } = env;
  const isHttps = ORIGIN?.startsWith('https:') === true;
  const services: AccountServices = {
    ...dependencies,
    devices: createKnownDevices({ secret, clock: dependencies.clock, isHttps }),
  };
  const { database, limits, log } = services;
  const providers = providersOf(SIGN_IN_PROVIDERS);
  return betterAuth({
    ...(ORIGIN === undefined ? {} : { baseURL: ORIGIN }),
    basePath: '/auth',
    secret,
    database: storedSessions(prismaAdapter(database.prisma, { provider: 'postgresql' }), {
      daysMax: env.SESSION_DAYS_MAX,
      clock: services.clock,
    }),
    // Without ORIGIN, the origin of the request's own URL is trusted.
    trustedOrigins: (request) => [
      ORIGIN ?? (request && new URL(request.url).origin),
      ...CORS_ORIGINS,
    ],
    user: {
      fields: { name: 'firstName' },
      additionalFields: { lastName: { type: 'string', required: false } },
    },
    session: {
      expiresIn: env.SESSION_IDLE_DAYS * daySeconds,
      // With sessions that end after seven idle days, a session in use is renewed every day.
      updateAge: Math.floor((env.SESSION_IDLE_DAYS * daySeconds) / 7),
      additionalFields: {
        authenticatedAt: { type: 'date', required: false, input: false, returned: false },
        secondFactorAt: { type: 'date', required: false, input: false, returned: false },
      },
    },
    socialProviders: providers.social,
    // The hook `linkProvider` claims an unclaimed account before a provider is linked to it.
    account: { updateAccountOnSignIn: false, accountLinking: { requireLocalEmailVerified: false } },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    databaseHooks: {
      user: { create: { before: (user) => authorizeProviderSignUp(user, services) } },
      account: {
        create: {
          before: (account) => linkProvider(account, services),
          after: (account, ctx) => notifyOfProvider(account, ctx?.request, services),
        },
      },
      session: {
        create: {
          before: async (session, ctx) => {
            await requireSecondFactor(session, ctx, services);
            await storePageLanguage(
              { ...session, headers: ctx?.headers ?? ctx?.request?.headers },
              services,
            );
            return { data: { ...session, authenticatedAt: services.clock() } };
          },
          after: ({ userId }, ctx) =>
            recordSignIn(
              {
                userId,
                headers: ctx?.headers ?? ctx?.request?.headers,
                origin: ctx?.request && services.originOf(ctx.request),
              },
              services,
            ),
        },
      },
    },
    hooks: {
      // After every kind of sign-in, the account recognizes this browser.
      after: createAuthMiddleware(async (ctx) => {
        const email = ctx.context.newSession?.user.email;
        // /get-session only renews the session; that is not a sign-in.
        if (email === undefined || ctx.path === '/get-session') return;
        const { name, value, maxAge } = services.devices.cookieFor(email, ctx.headers);
        ctx.setCookie(name, value, {
          ...{ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps },
          // Without rememberMe the session ends with the browser, so the device cookie does too.
          ...(Object(ctx.body).rememberMe === false ? {} : { maxAge }),
        });
      }),
    },
    rateLimit: {
      enabled: true,
      window: 60,
      max: requestsPerMinuteMax,
      // Every page calls /get-session, and all people of an office can share one address.
      customRules: {
        '/sign-in/*': { window: 60, max: requestsPerMinuteMax },
        '/sign-up/*': { window: 60, max: requestsPerMinuteMax },
        '/request-password-reset': { window: 60, max: mailsPerMinuteMax },
        '/send-verification-email': { window: 60, max: mailsPerMinuteMax },
        '/get-session': false,
      },
      customStorage: rateLimitStorage(limits),
    },
    plugins: [
      signIn(services),
      secondStep(services),
      passkeySignIn(services),
      signUp(services),
      passwordReset(services),
      emailVerification(services),
      providerSignIn(services),
      genericOAuth({ config: providers.generic }),
    ],
    advanced: {
      // Cookies need the prefix __Host-, which better-auth does not know. With its own prefix,
      // __Secure-, a sibling domain could set our cookies.
      cookiePrefix: cookieName('atrium', isHttps),
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure: isHttps, path: '/' },
      // better-auth disables both checks under NODE_ENV=test unless they are set.
      disableCSRFCheck: false,
      disableOriginCheck: false,
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [clientHeader] },
    },
    // better-auth rethrows errors other than its own, so that they are logged and masked like all
    // others.
    onAPIError: { throw: true, errorURL: '/auth' },
    logger: { level: 'error', log: (_, message) => log.error({ part: 'auth' }, message) },
    telemetry: { enabled: false },
  });
}

// Our limits count in windows of one minute, like the rules above. With Redis all processes share
// the counts.
const rateLimitStorage = (limits: RateLimits) => ({
  get: async () => null,
  set: async () => undefined,
  consume: async (key: string, { max }: { max: number }) => {
    const { exceeded, retryAfterSeconds } = await limits.consume(`auth:${key}`, max);
    return { allowed: !exceeded, retryAfter: exceeded ? retryAfterSeconds : null };
  },
});
