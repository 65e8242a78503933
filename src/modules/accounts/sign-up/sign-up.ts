import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import { uniqueViolation } from '../../../platform/database/faults.ts';
import type { Language } from '../../../platform/database/generated/client.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { preferredLanguage } from '../../../platform/language.ts';
import { networkOf } from '../../../platform/network-of.ts';
import { runInBackground } from '../../../platform/run-in-background.ts';
import { accountExists, signUpWithoutMail, verificationWithoutMail } from '../account-errors.ts';
import type { AccountServices } from '../account-services.ts';
import { clientHeader } from '../client-header.ts';
import { accountExistsEmail, verificationEmail } from '../emails/emails.ts';
import { countRequestedMail } from '../emails/mail-rate-limit.ts';
import { hashPassword } from '../passwords/password.ts';
import { issueSecret } from '../secret-link.ts';
import { openSession } from '../sessions/open-session.ts';
import { setBrowserNonce } from '../sign-in/browser-nonce.ts';
import { createAccount } from './create-account.ts';
import { parseSignUp, type SignUpInput } from './parse-sign-up.ts';
import { requireSignUp } from './require-sign-up.ts';

type SignUpAccount = Omit<SignUpInput, 'password'> & { passwordHash: string };

/**
 * Replaces better-auth's own sign-up by e-mail. If addresses must be verified, the account is
 * created only when the link is opened: nobody can occupy an address that they cannot read, and
 * strangers do not learn who has an account. If addresses need not be verified, an address without
 * an account gets one at once. An account that an organization created for an address can be opened
 * only from its mailbox.
 */
export const signUp = (services: AccountServices) =>
  ({
    id: 'atrium-sign-up',
    endpoints: {
      signUpEmail: createAuthEndpoint(
        '/sign-up/email',
        {
          method: 'POST',
          use: [formCsrfMiddleware],
          requireRequest: true,
          body: z.record(z.string(), z.unknown()),
        },
        async (ctx) => {
          const { password, ...input } = parseSignUp(ctx.body);
          await requireSignUp(input, services);
          const isProofRequired = services.options.emailVerification === 'required';
          if (isProofRequired) {
            if (services.mail.kind === 'none') throw signUpWithoutMail();
            await countRequestedMail(input.email, ctx.request, services);
          }
          const passwordHash = await hashPassword(password, {
            network: networkOf(ctx.request.headers.get(clientHeader) ?? undefined),
            isKnownDevice: false,
          });
          const account = { ...input, passwordHash };
          if (!isProofRequired) {
            const id = await createAccountNow(account, services);
            if (id !== undefined) {
              return ctx.json(await openSession(ctx, id, { passwordHash }));
            }
            if (services.mail.kind === 'none') throw verificationWithoutMail();
            await countRequestedMail(input.email, ctx.request, services);
          }
          const nonceHash = setBrowserNonce(ctx);
          runInBackground(services.log, () =>
            sendConfirmation({ ...account, nonceHash }, ctx.request, services),
          );
          return ctx.json({ signedIn: false });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;

/**
 * Returns the id of the new account, or undefined if the address has an account without a way to
 * sign in, which only its mailbox can open.
 */
async function createAccountNow(
  { returnPath: _, ...input }: SignUpAccount,
  { database, clock }: AccountServices,
): Promise<string | undefined> {
  try {
    const { id } = await inTransaction(database, (tx) =>
      createAccount({ ...input, at: clock() }, tx),
    );
    return id;
  } catch (error) {
    if (!uniqueViolation(error)) throw error;
    const [credential] = await database.sql`
      select a.id from accounts a join users u on u.id = a.user_id where u.email = ${input.email} limit 1`;
    if (credential) throw accountExists();
    return undefined;
  }
}

async function sendConfirmation(
  input: SignUpAccount & { nonceHash: string },
  request: Request,
  { database, clock, mail, originOf }: AccountServices,
): Promise<void> {
  const to = input.email;
  const origin = originOf(request);
  const pageLanguage = preferredLanguage(request.headers.get('accept-language')) ?? 'EN';
  const [account] = await database.sql<{ language: Language }>`
    select coalesce(u.language, ${pageLanguage}) as language from accounts a join users u on u.id = a.user_id
    where u.email = ${to} and u.email_verified limit 1`;
  if (account) return mail.send(accountExistsEmail({ to, language: account.language, origin }));
  const secret = await issueSecret('sign-up', input, clock(), database);
  await mail.send(verificationEmail({ to, language: pageLanguage, origin, secret }));
}
