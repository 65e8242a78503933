import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import type { Language } from '../../../platform/database/generated/client.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { runInBackground } from '../../../platform/run-in-background.ts';
import { recordAuthenticationEvent } from '../../audit/record-authentication-event.ts';
import { invalidFields } from '../account-errors.ts';
import type { AccountServices } from '../account-services.ts';
import { originOfEvent } from '../client-header.ts';
import { resetEmail } from '../emails/emails.ts';
import { mailRequest, parseMailRequest } from '../emails/mail-request.ts';
import { issueSecret } from '../secret-link.ts';
import { openSession } from '../sessions/open-session.ts';
import { parseNewPassword, passwordRule } from './new-password.ts';
import { resetPassword } from './reset-password.ts';

const resetBody = z.object({
  token: z.string(),
  password: z.string(),
  revokeKeys: z.boolean().default(true),
});

/**
 * Replaces better-auth's own calls: only the hash of the link's secret is stored, and the use of a
 * link also verifies the address.
 */
export const passwordReset = (services: AccountServices) =>
  ({
    id: 'atrium-password-reset',
    endpoints: {
      requestPasswordReset: createAuthEndpoint(
        '/request-password-reset',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true, body: mailRequest },
        async (ctx) => {
          const linkRequest = await parseMailRequest(ctx, services);
          runInBackground(services.log, () =>
            sendReset(linkRequest, ctx.request.headers, services),
          );
          return ctx.json({ sent: true });
        },
      ),
      resetPassword: createAuthEndpoint(
        '/reset-password',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true, body: resetBody },
        async (ctx) => {
          const password = parseNewPassword(ctx.body.password);
          if (password === undefined) throw invalidFields({ password: passwordRule });
          const { userId, returnPath } = await resetPassword(
            {
              secret: ctx.body.token,
              password,
              revokeKeys: ctx.body.revokeKeys,
              origin: services.originOf(ctx.request),
              headers: ctx.request.headers,
            },
            services,
          );
          return ctx.json({ ...(await openSession(ctx, userId)), callbackPath: returnPath });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;

type ResetMail = {
  email: string;
  returnPath: string;
  origin: string;
  pageLanguage: Language | null;
};

async function sendReset(
  { email, returnPath, origin, pageLanguage }: ResetMail,
  headers: Headers,
  { database, clock, mail }: AccountServices,
): Promise<void> {
  const [user] = await database.sql<{ id: string; language: Language }>`
    select id, coalesce(language, ${pageLanguage}, 'EN') as language from users where email = ${email}`;
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
  await mail.send(resetEmail({ to: email, language: user.language, origin, secret }));
}
