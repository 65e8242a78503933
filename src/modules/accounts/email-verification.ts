import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware, getSessionFromCtx } from 'better-auth/api';
import { z } from 'zod';
import { requireMail } from '../../platform/mail/mail.ts';
import { parseEmailAddress } from '../users/email-address.ts';
import { afterwards } from './afterwards.ts';
import { takeMail } from './mail-allowance.ts';
import { openSession } from './open-session.ts';
import type { AccountParts } from './parts.ts';
import { proveAddress } from './prove-address.ts';
import { wrongEmail, wrongFields, wrongReturnPath } from './refusals.ts';
import { parseReturnPath } from './return-path.ts';
import { sendVerification } from './send-verification.ts';

const asked = z.object({ email: z.string(), callbackPath: z.string().default('/') });

/** Takes the place of better-auth's own calls, whose links are read by whatever looks at a mail before its reader does, and work again and again. */
export const emailVerification = (parts: AccountParts) =>
  ({
    id: 'atrium-email-verification',
    endpoints: {
      sendVerificationEmail: createAuthEndpoint(
        '/send-verification-email',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true, body: asked },
        async (ctx) => {
          const email = parseEmailAddress(ctx.body.email);
          const returnPath = parseReturnPath(ctx.body.callbackPath);
          if (email === undefined) throw wrongFields({ email: wrongEmail });
          if (returnPath === undefined) throw wrongFields({ callbackPath: wrongReturnPath });
          requireMail(parts.mail);
          await takeMail(email, ctx.request, parts.limits);
          afterwards(parts.log, () => sendVerification({ email, returnPath, origin: parts.originOf(ctx.request) }, parts));
          return ctx.json({ sent: true });
        },
      ),
      verifyEmail: createAuthEndpoint(
        '/verify-email',
        { method: 'POST', use: [formCsrfMiddleware], requireHeaders: true, body: z.object({ token: z.string() }) },
        async (ctx) => {
          const { userId, returnPath } = await proveAddress(ctx.body.token, parts);
          const present = (await getSessionFromCtx(ctx))?.user.id;
          // A link that somebody else sent must not move people to another account unseen.
          if (present === undefined) await openSession(ctx, userId);
          return ctx.json({ signedIn: present === undefined || present === userId, callbackPath: returnPath });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;
