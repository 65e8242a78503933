import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import type { Limits } from '../../platform/limits.ts';
import { parseEmailAddress } from '../users/email-address.ts';

const triesAMinute = 10;
const credentials = z.object({ email: z.string(), password: z.string(), rememberMe: z.boolean().default(true) });

/**
 * Takes the place of better-auth's own sign-in by e-mail, which refuses addresses that we accept (an IDNA top-level
 * domain, `=` before the @), and counts only by network address, which many people can share and one attacker can change.
 */
export const signIn = ({ limits }: { limits: Limits }) =>
  ({
    id: 'atrium-sign-in',
    endpoints: {
      signInEmail: createAuthEndpoint('/sign-in/email', { method: 'POST', use: [formCsrfMiddleware], body: credentials }, async (ctx) => {
        const { password, internalAdapter } = ctx.context;
        const email = parseEmailAddress(ctx.body.email);
        // Counted before the comparison, so that many at once get no more tries than one after the other.
        if (email && (await limits.take(`sign-in:${email}`, triesAMinute)).exceeded) {
          throw new APIError('TOO_MANY_REQUESTS', { message: 'Too many tries to sign in. Please try again in a minute.' });
        }
        const found = email ? await internalAdapter.findUserByEmail(email, { includeAccounts: true }) : null;
        const hash = found?.accounts.find(({ providerId }) => providerId === 'credential')?.password;
        // Whether there is such an account must not show in the time either.
        if (!hash) await password.hash(ctx.body.password);
        if (!found || !hash || !(await password.verify({ hash, password: ctx.body.password }))) {
          throw new APIError('UNAUTHORIZED', { message: 'Wrong e-mail address or password', code: 'INVALID_EMAIL_OR_PASSWORD' });
        }
        const forgetful = !ctx.body.rememberMe;
        const session = await internalAdapter.createSession(found.user.id, forgetful);
        await setSessionCookie(ctx, { session, user: found.user }, forgetful);
        return ctx.json({ signedIn: true });
      }),
      /** The token of the request's session cookie, if the cookie is one of ours. */
      readSessionToken: createAuthEndpoint.serverOnly({ method: 'GET', requireHeaders: true }, async (ctx) =>
        ctx.json({ token: (await ctx.getSignedCookie(ctx.context.authCookies.sessionToken.name, ctx.context.secret)) || null }),
      ),
    },
  }) satisfies BetterAuthPlugin;
