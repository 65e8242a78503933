import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import { afterwards } from './afterwards.ts';
import { mailRequest, readMailRequest } from './mail-request.ts';
import { openSession } from './open-session.ts';
import type { AccountParts } from './parts.ts';
import { presentSession } from './present-session.ts';
import { proveAddress } from './prove-address.ts';
import { sendVerification } from './send-verification.ts';

/** Takes the place of better-auth's own calls, whose links are read by whatever looks at a mail before its reader does, and work again and again. */
export const emailVerification = (parts: AccountParts) =>
  ({
    id: 'atrium-email-verification',
    endpoints: {
      sendVerificationEmail: createAuthEndpoint(
        '/send-verification-email',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true, body: mailRequest },
        async (ctx) => {
          const wanted = await readMailRequest(ctx, parts);
          afterwards(parts.log, () => sendVerification(wanted, parts));
          return ctx.json({ sent: true });
        },
      ),
      verifyEmail: createAuthEndpoint(
        '/verify-email',
        { method: 'POST', use: [formCsrfMiddleware], requireHeaders: true, body: z.object({ token: z.string() }) },
        async (ctx) => {
          const { userId, returnPath } = await proveAddress(ctx.body.token, parts);
          const present = (await presentSession(ctx, parts))?.user.id;
          // A link that somebody else sent must not move people to another account unseen.
          if (present === undefined) await openSession(ctx, userId);
          return ctx.json({ signedIn: present === undefined || present === userId, callbackPath: returnPath });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;
