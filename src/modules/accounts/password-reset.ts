import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import { afterwards } from './afterwards.ts';
import { resetLetter } from './letters.ts';
import { mailRequest, readMailRequest } from './mail-request.ts';
import { parseNewPassword } from './new-password.ts';
import { openSession } from './open-session.ts';
import type { AccountParts } from './parts.ts';
import { passwordRule } from './read-sign-up.ts';
import { wrongFields } from './refusals.ts';
import { resetPassword } from './reset-password.ts';
import { issueSecret } from './secret-link.ts';

const chosen = z.object({ token: z.string(), password: z.string() });

/** Takes the place of better-auth's own calls: of a link only the hash is kept, and its use proves the address too. */
export const passwordReset = (parts: AccountParts) =>
  ({
    id: 'atrium-password-reset',
    endpoints: {
      requestPasswordReset: createAuthEndpoint(
        '/request-password-reset',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true, body: mailRequest },
        async (ctx) => {
          const wanted = await readMailRequest(ctx, parts);
          afterwards(parts.log, () => sendReset(wanted, parts));
          return ctx.json({ sent: true });
        },
      ),
      resetPassword: createAuthEndpoint('/reset-password', { method: 'POST', use: [formCsrfMiddleware], requireRequest: true, body: chosen }, async (ctx) => {
        const password = parseNewPassword(ctx.body.password);
        if (password === undefined) throw wrongFields({ password: passwordRule });
        const { userId, returnPath } = await resetPassword({ secret: ctx.body.token, password, origin: parts.originOf(ctx.request) }, parts);
        await openSession(ctx, userId);
        return ctx.json({ signedIn: true, callbackPath: returnPath });
      }),
    },
  }) satisfies BetterAuthPlugin;

type SendReset = { email: string; returnPath: string; origin: string };

async function sendReset({ email, returnPath, origin }: SendReset, { database, clock, mail }: AccountParts): Promise<void> {
  const user = await database.prisma.user.findUnique({ where: { email }, select: { id: true } });
  if (!user) return;
  const secret = await issueSecret('reset-password', { userId: user.id, returnPath }, clock(), database.prisma);
  await mail.send(resetLetter({ to: email, origin, secret }));
}
