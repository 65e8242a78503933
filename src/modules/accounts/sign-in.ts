import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { deleteSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import { inTransaction } from '../../platform/database/transaction.ts';
import { AppError, errorCatalogue } from '../../platform/errors.ts';
import { networkOf } from '../../platform/network-of.ts';
import { recordAuthenticationEvent } from '../audit/record-authentication-event.ts';
import { parseEmailAddress } from '../users/email-address.ts';
import type { AccountServices } from './account-services.ts';
import { giveNonce } from './browser-nonce.ts';
import { clientHeader, originOfEvent, personHeader } from './client-header.ts';
import { takeMail } from './mail-allowance.ts';
import { openSession } from './open-session.ts';
import { verifyPassword } from './password.ts';
import { presentSession } from './present-session.ts';
import { recordFailedSignIn } from './record-failed-sign-in.ts';
import {
  unverified,
  unverifiedWithoutMail,
  wrongCredentials,
  wrongFields,
  wrongReturnPath,
} from './refusals.ts';
import { parseReturnPath } from './return-path.ts';
import { sendVerification } from './send-verification.ts';
import { takeSignInTry } from './sign-in-tries.ts';
import { hashSessionToken } from './stored-sessions.ts';

const credentials = z.object({
  email: z.string(),
  password: z.string(),
  rememberMe: z.boolean().default(true),
  callbackPath: z.string().default('/'),
});

/**
 * Takes the place of better-auth's own sign-in by e-mail, which refuses addresses that we accept
 * (an IDNA top-level domain, `=` before the @), and counts only by network address, which many
 * people can share and one attacker can change.
 */
export const signIn = (parts: AccountServices) =>
  ({
    id: 'atrium-sign-in',
    endpoints: {
      signInEmail: createAuthEndpoint(
        '/sign-in/email',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true, body: credentials },
        async (ctx) => {
          const returnPath = parseReturnPath(ctx.body.callbackPath);
          if (returnPath === undefined) throw wrongFields({ callbackPath: wrongReturnPath });
          const email = parseEmailAddress(ctx.body.email);
          const { headers } = ctx.request;
          const network = networkOf(headers.get(clientHeader) ?? undefined);
          const device = email ? parts.devices.deviceOf(email, headers) : undefined;
          if (email) await takeSignInTry({ email, network, device }, parts.limits);
          const found = email ? await findWhoSignsIn(email, parts) : undefined;
          const turn = { network, isKnownDevice: device !== undefined };
          // Whether there is such an account must not show in the time either.
          const isRight = await verifyPassword(
            { hash: found?.hash, password: ctx.body.password },
            turn,
          );
          if (!found?.hash || !isRight) {
            if (found) recordFailedSignIn(found.id, headers, parts);
            throw wrongCredentials();
          }
          if (parts.options.emailVerification === 'required' && !found.emailVerified) {
            if (parts.mail.kind === 'none') throw unverifiedWithoutMail();
            await remind(
              { email: found.email, returnPath, nonceHash: giveNonce(ctx) },
              ctx.request,
              parts,
            );
            // Thrown, it would lose the cookie with the nonce.
            const { code, message, reason } = unverified();
            ctx.setStatus(errorCatalogue[code].status);
            return ctx.json({ code, message, reason });
          }
          return ctx.json(
            await openSession(ctx, found.id, {
              forgetful: !ctx.body.rememberMe,
              passwordHash: found.hash,
            }),
          );
        },
      ),
      /**
       * Who is signed in. It gives a session that is in use new time, and unlike better-auth's own
       * never tells its token to scripts.
       */
      getSession: createAuthEndpoint(
        '/get-session',
        { method: 'GET', requireHeaders: true },
        async (ctx) => {
          const found = await presentSession(ctx, parts);
          return ctx.json(
            found && {
              user: { id: found.user.id, email: found.user.email },
              session: { expiresAt: found.session.expiresAt },
            },
          );
        },
      ),
      /**
       * Unlike better-auth's own it does not say that a session has ended which could not be ended.
       */
      signOut: createAuthEndpoint(
        '/sign-out',
        { method: 'POST', requireHeaders: true },
        async (ctx) => {
          const token = await ctx.getSignedCookie(
            ctx.context.authCookies.sessionToken.name,
            ctx.context.secret,
          );
          const userId = token ? await endSession(token, ctx.headers, parts) : undefined;
          if (userId) ctx.setHeader(personHeader, userId);
          deleteSessionCookie(ctx);
          return ctx.json({ success: true });
        },
      ),
      /** The token of the request's session cookie, if the cookie is one of ours. */
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

type WhoSignsIn = { id: string; email: string; emailVerified: boolean; hash: string | null };

/**
 * One statement, whoever it is: better-auth asks for the ways to sign in only where it has found a
 * person, which takes longer.
 */
async function findWhoSignsIn(
  email: string,
  { database }: Pick<AccountServices, 'database'>,
): Promise<WhoSignsIn | undefined> {
  const [found] = await database.sql<WhoSignsIn>`
    select u.id, u.email, u.email_verified as "emailVerified", a.password as hash
    from users u left join accounts a on a.user_id = u.id and a.provider_id = 'credential'
    where u.email = ${email}`;
  return found;
}

async function endSession(
  token: string,
  headers: Headers,
  { database, clock }: AccountServices,
): Promise<string | undefined> {
  return inTransaction(database, async (tx) => {
    const session = await tx.session.findUnique({
      where: { token: hashSessionToken(token) },
      select: { id: true, userId: true },
    });
    if (!session) return undefined;
    await tx.session.deleteMany({ where: { id: session.id } });
    await recordAuthenticationEvent(
      tx,
      { action: 'sign-out', userId: session.userId, ...originOfEvent(headers) },
      clock(),
    );
    return session.userId;
  });
}

async function remind(
  reminder: { email: string; returnPath: string; nonceHash: string },
  request: Request,
  parts: AccountServices,
): Promise<void> {
  try {
    await takeMail(reminder.email, request, parts);
    await sendVerification({ ...reminder, origin: parts.originOf(request) }, parts);
  } catch (error) {
    // The mails before this one are enough.
    if (!(error instanceof AppError && error.code === 'RATE_LIMITED')) throw error;
  }
}
