import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import type { AccountServices } from './account-services.ts';
import { nonceHashOf } from './browser-nonce.ts';
import { mailRequest, readMailRequest } from './mail-request.ts';
import { openSession } from './open-session.ts';
import { presentSession } from './present-session.ts';
import { proveAddress } from './prove-address.ts';
import { readNewPassword } from './read-sign-up.ts';
import { runInBackground } from './run-in-background.ts';
import { sendVerification } from './send-verification.ts';

const typed = z.unknown().optional();
const openedLink = z.object({
  token: z.string(),
  password: typed,
  firstName: typed,
  lastName: typed,
});

/**
 * Takes the place of better-auth's own calls, whose links are read by whatever looks at a mail
 * before its reader does, and work again and again.
 */
export const emailVerification = (parts: AccountServices) =>
  ({
    id: 'atrium-email-verification',
    endpoints: {
      sendVerificationEmail: createAuthEndpoint(
        '/send-verification-email',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true, body: mailRequest },
        async (ctx) => {
          const wanted = await readMailRequest(ctx, parts);
          runInBackground(parts.log, () => sendVerification(wanted, parts));
          return ctx.json({ sent: true });
        },
      ),
      verifyEmail: createAuthEndpoint(
        '/verify-email',
        { method: 'POST', use: [formCsrfMiddleware], requireHeaders: true, body: openedLink },
        async (ctx) => {
          const { token, ...chosen } = ctx.body;
          const signedInAs = (await presentSession(ctx, parts))?.user.id;
          const result = await proveAddress(
            token,
            { nonceHash: nonceHashOf(ctx), signedInAs, ...readNewPassword(chosen) },
            parts,
          );
          if (!result.isProven)
            return ctx.json({
              signedIn: false,
              needsPassword: true,
              needsName: result.needsName,
              email: result.email,
            });
          const { userId, returnPath, isKept } = result;
          // A link that somebody else sent must not move people to another account unseen.
          const isElsewhere = signedInAs !== undefined && signedInAs !== userId;
          const hasSession = isKept && signedInAs === userId;
          const signedIn =
            isElsewhere || hasSession ? { signedIn: hasSession } : await openSession(ctx, userId);
          return ctx.json({ ...signedIn, callbackPath: returnPath });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;
