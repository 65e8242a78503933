import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { deleteSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { AppError, errorCatalogue } from '../../../platform/errors.ts';
import { preferredLanguage } from '../../../platform/language.ts';
import { networkOf } from '../../../platform/network-of.ts';
import { recordAuthenticationEvent } from '../../audit/record-authentication-event.ts';
import { parseEmailAddress } from '../../users/email-address.ts';
import {
  emailNotVerified,
  emailNotVerifiedWithoutMail,
  invalidFields,
  returnPathMessage,
  wrongCredentials,
} from '../account-errors.ts';
import type { AccountServices } from '../account-services.ts';
import { clientHeader, originOfEvent, personHeader } from '../client-header.ts';
import { countRequestedMail } from '../emails/mail-rate-limit.ts';
import { verifyPassword } from '../passwords/password.ts';
import { parseReturnPath } from '../return-path.ts';
import { openSession } from '../sessions/open-session.ts';
import { readCurrentSession } from '../sessions/read-current-session.ts';
import { hashSessionToken } from '../sessions/stored-sessions.ts';
import { sendVerification } from '../sign-up/send-verification.ts';
import { setBrowserNonce } from './browser-nonce.ts';
import { recordFailedSignIn } from './record-failed-sign-in.ts';
import { countSignInAttempt } from './sign-in-attempts.ts';

const credentials = z.object({
  email: z.string(),
  password: z.string(),
  rememberMe: z.boolean().default(true),
  callbackPath: z.string().default('/'),
});

/**
 * Replaces better-auth's own sign-in by e-mail, for two reasons: that one rejects addresses that we
 * accept (an IDNA top-level domain, `=` before the @), and it counts attempts only by network
 * address, which many people can share and one attacker can change.
 */
export const signIn = (services: AccountServices) =>
  ({
    id: 'atrium-sign-in',
    endpoints: {
      signInEmail: createAuthEndpoint(
        '/sign-in/email',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true, body: credentials },
        async (ctx) => {
          const returnPath = parseReturnPath(ctx.body.callbackPath);
          if (returnPath === undefined) throw invalidFields({ callbackPath: returnPathMessage });
          const email = parseEmailAddress(ctx.body.email);
          const { headers } = ctx.request;
          const network = networkOf(headers.get(clientHeader) ?? undefined);
          const device = email ? services.devices.deviceIdOf(email, headers) : undefined;
          if (email) await countSignInAttempt({ email, network, device }, services.limits);
          const account = email ? await findSignInAccount(email, services) : undefined;
          const requester = { network, isKnownDevice: device !== undefined };
          // The comparison also runs without an account, so that the response time does not reveal
          // whether there is one.
          const isPasswordRight = await verifyPassword(
            { hash: account?.hash, password: ctx.body.password },
            requester,
          );
          if (!account?.hash || !isPasswordRight) {
            if (account) recordFailedSignIn(account.id, headers, services);
            throw wrongCredentials();
          }
          if (services.options.emailVerification === 'required' && !account.emailVerified) {
            if (services.mail.kind === 'none') throw emailNotVerifiedWithoutMail();
            await sendReminder(
              { email: account.email, returnPath, nonceHash: setBrowserNonce(ctx) },
              ctx.request,
              services,
            );
            // A thrown error would lose the cookie with the nonce, so the error is the body of the
            // response.
            const { code, message, reason } = emailNotVerified();
            ctx.setStatus(errorCatalogue[code].status);
            return ctx.json({ code, message, reason });
          }
          return ctx.json(
            await openSession(ctx, account.id, {
              endsWithBrowser: !ctx.body.rememberMe,
              passwordHash: account.hash,
            }),
          );
        },
      ),
      /**
       * The signed-in person. The call extends a session that is in use. Unlike better-auth's own
       * call it never reveals the session's token to scripts.
       */
      getSession: createAuthEndpoint(
        '/get-session',
        { method: 'GET', requireHeaders: true },
        async (ctx) => {
          const current = await readCurrentSession(ctx, services);
          return ctx.json(
            current && {
              user: { id: current.user.id, email: current.user.email },
              session: { expiresAt: current.session.expiresAt },
            },
          );
        },
      ),
      /** Unlike better-auth's own call, this one fails if the session could not be ended. */
      signOut: createAuthEndpoint(
        '/sign-out',
        { method: 'POST', requireHeaders: true },
        async (ctx) => {
          const token = await ctx.getSignedCookie(
            ctx.context.authCookies.sessionToken.name,
            ctx.context.secret,
          );
          const userId = token ? await endSession(token, ctx.headers, services) : undefined;
          if (userId) ctx.setHeader(personHeader, userId);
          deleteSessionCookie(ctx);
          return ctx.json({ success: true });
        },
      ),
      /** The token of the request's session cookie, if the signature of the cookie is valid. */
      readSessionToken: createAuthEndpoint.serverOnly(
        { method: 'GET', requireHeaders: true },
        async (ctx) =>
          ctx.json({
            token:
              (await ctx.getSignedCookie(
                ctx.context.authCookies.sessionToken.name,
                ctx.context.secret,
              )) || null,
          }),
      ),
    },
  }) satisfies BetterAuthPlugin;

type SignInAccount = { id: string; email: string; emailVerified: boolean; hash: string | null };

/**
 * One statement reads the account and its password, so that the time is the same with and without
 * an account. better-auth reads the password only if it has found a person, which takes longer.
 */
async function findSignInAccount(
  email: string,
  { database }: Pick<AccountServices, 'database'>,
): Promise<SignInAccount | undefined> {
  const [account] = await database.sql<SignInAccount>`
    select u.id, u.email, u.email_verified as "emailVerified", a.password as hash
    from users u left join accounts a on a.user_id = u.id and a.provider_id = 'credential'
    where u.email = ${email}`;
  return account;
}

async function endSession(
  token: string,
  headers: Headers,
  { database, clock }: AccountServices,
): Promise<string | undefined> {
  return inTransaction(database, async (tx) => {
    const [session] = await tx.sql<{ userId: string }>`
      delete from sessions where token = ${hashSessionToken(token)} returning user_id as "userId"`;
    if (!session) return undefined;
    await recordAuthenticationEvent(
      tx,
      { action: 'sign-out', userId: session.userId, ...originOfEvent(headers) },
      clock(),
    );
    return session.userId;
  });
}

async function sendReminder(
  reminder: { email: string; returnPath: string; nonceHash: string },
  request: Request,
  services: AccountServices,
): Promise<void> {
  try {
    await countRequestedMail(reminder.email, request, services);
    const origin = services.originOf(request);
    const pageLanguage = preferredLanguage(request.headers.get('accept-language'));
    await sendVerification({ ...reminder, origin, pageLanguage }, services);
  } catch (error) {
    // The person has got mails with a link already, so the missing mail is no error.
    if (!(error instanceof AppError && error.code === 'RATE_LIMITED')) throw error;
  }
}
