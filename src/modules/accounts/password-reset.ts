import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import { inTransaction } from '../../platform/database/transaction.ts';
import { recordAuthenticationEvent } from '../audit/record-authentication-event.ts';
import type { AccountServices } from './account-services.ts';
import { originOfEvent } from './client-header.ts';
import { resetEmail } from './emails.ts';
import { mailRequest, readMailRequest } from './mail-request.ts';
import { parseNewPassword, passwordRule } from './new-password.ts';
import { openSession } from './open-session.ts';
import { wrongFields } from './refusals.ts';
import { resetPassword } from './reset-password.ts';
import { runInBackground } from './run-in-background.ts';
import { issueSecret } from './secret-link.ts';

const chosen = z.object({
  token: z.string(),
  password: z.string(),
  revokeKeys: z.boolean().default(true),
});

/**
 * Takes the place of better-auth's own calls: of a link only the hash is kept, and its use proves
 * the address too.
 */
export const passwordReset = (parts: AccountServices) =>
  ({
    id: 'atrium-password-reset',
    endpoints: {
      requestPasswordReset: createAuthEndpoint(
        '/request-password-reset',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true, body: mailRequest },
        async (ctx) => {
          const wanted = await readMailRequest(ctx, parts);
          runInBackground(parts.log, () => sendReset(wanted, ctx.request.headers, parts));
          return ctx.json({ sent: true });
        },
      ),
      resetPassword: createAuthEndpoint(
        '/reset-password',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true, body: chosen },
        async (ctx) => {
          const password = parseNewPassword(ctx.body.password);
          if (password === undefined) throw wrongFields({ password: passwordRule });
          const { userId, returnPath } = await resetPassword(
            {
              secret: ctx.body.token,
              password,
              revokeKeys: ctx.body.revokeKeys,
              origin: parts.originOf(ctx.request),
              headers: ctx.request.headers,
            },
            parts,
          );
          return ctx.json({ ...(await openSession(ctx, userId)), callbackPath: returnPath });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;

type SendReset = { email: string; returnPath: string; origin: string };

async function sendReset(
  { email, returnPath, origin }: SendReset,
  headers: Headers,
  { database, clock, mail }: AccountServices,
): Promise<void> {
  const user = await database.prisma.user.findUnique({ where: { email }, select: { id: true } });
  if (!user) return;
  const secret = await inTransaction(database, async (tx) => {
    const at = clock();
    await recordAuthenticationEvent(
      tx,
      {
        action: 'request-password-reset',
        userId: user.id,
        actor: 'NOBODY',
        ...originOfEvent(headers),
      },
      at,
    );
    return issueSecret('reset-password', { userId: user.id, returnPath }, at, tx);
  });
  await mail.send(resetEmail({ to: email, origin, secret }));
}
