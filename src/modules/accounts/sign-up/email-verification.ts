import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import { runInBackground } from '../../../platform/run-in-background.ts';
import type { AccountServices } from '../account-services.ts';
import { mailRequest, parseMailRequest } from '../emails/mail-request.ts';
import { openSession } from '../sessions/open-session.ts';
import { readCurrentSession } from '../sessions/read-current-session.ts';
import { readNonceHash } from '../sign-in/browser-nonce.ts';
import { parseLinkPassword } from './parse-sign-up.ts';
import { sendVerification } from './send-verification.ts';
import { verifyEmailAddress } from './verify-email-address.ts';

const optionalField = z.unknown().optional();
const openedLink = z.object({
  token: z.string(),
  password: optionalField,
  firstName: optionalField,
  lastName: optionalField,
});

/**
 * Replaces better-auth's own calls: their links work several times, and a mail scanner that opens a
 * link before the reader uses it.
 */
export const emailVerification = (services: AccountServices) =>
  ({
    id: 'atrium-email-verification',
    endpoints: {
      sendVerificationEmail: createAuthEndpoint(
        '/send-verification-email',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true, body: mailRequest },
        async (ctx) => {
          const linkRequest = await parseMailRequest(ctx, services);
          runInBackground(services.log, () => sendVerification(linkRequest, services));
          return ctx.json({ sent: true });
        },
      ),
      verifyEmail: createAuthEndpoint(
        '/verify-email',
        { method: 'POST', use: [formCsrfMiddleware], requireHeaders: true, body: openedLink },
        async (ctx) => {
          const { token, ...formFields } = ctx.body;
          const signedInAs = (await readCurrentSession(ctx, services))?.user.id;
          const result = await verifyEmailAddress(
            token,
            { nonceHash: readNonceHash(ctx), signedInAs, ...parseLinkPassword(formFields) },
            services,
          );
          if (!result.isVerified)
            return ctx.json({
              signedIn: false,
              needsPassword: true,
              needsName: result.needsName,
              email: result.email,
            });
          const { userId, returnPath, keepsPassword } = result;
          // A link that somebody else sent must not sign people in to another account without their
          // notice.
          const isSignedInToOtherAccount = signedInAs !== undefined && signedInAs !== userId;
          const isAlreadySignedIn = keepsPassword && signedInAs === userId;
          const signIn =
            isSignedInToOtherAccount || isAlreadySignedIn
              ? { signedIn: isAlreadySignedIn }
              : await openSession(ctx, userId);
          return ctx.json({ ...signIn, callbackPath: returnPath });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;
