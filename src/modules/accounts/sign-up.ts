import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import { uniqueViolation } from '../../platform/database/faults.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { networkOf } from '../../platform/network-of.ts';
import type { AccountServices } from './account-services.ts';
import { giveNonce } from './browser-nonce.ts';
import { clientHeader } from './client-header.ts';
import { createAccount } from './create-account.ts';
import { accountExistsEmail, verificationEmail } from './emails.ts';
import { takeMail } from './mail-allowance.ts';
import { openSession } from './open-session.ts';
import { hashPassword } from './password.ts';
import { readSignUp, type SignUp } from './read-sign-up.ts';
import { accountExists, noMailForProof, noMailForSignUp } from './refusals.ts';
import { requireSignUp } from './require-sign-up.ts';
import { runInBackground } from './run-in-background.ts';
import { issueSecret } from './secret-link.ts';

type NewAccount = Omit<SignUp, 'password'> & { passwordHash: string };

/**
 * Takes the place of better-auth's own sign-up by e-mail. Where addresses must be confirmed there
 * is no account before that: nobody can keep an address for themselves that they can not read, and
 * strangers learn nothing of who has an account. Where they need not be, only an address without an
 * account gets one at once: what an organization gave to an address is for its owner.
 */
export const signUp = (parts: AccountServices) =>
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
          const { password, ...person } = readSignUp(ctx.body);
          await requireSignUp(person, parts);
          const isProofRequired = parts.options.emailVerification === 'required';
          if (isProofRequired) {
            if (parts.mail.kind === 'none') throw noMailForSignUp();
            await takeMail(person.email, ctx.request, parts);
          }
          const passwordHash = await hashPassword(password, {
            network: networkOf(ctx.request.headers.get(clientHeader) ?? undefined),
            isKnownDevice: false,
          });
          const account = { ...person, passwordHash };
          if (!isProofRequired) {
            const id = await register(account, parts);
            if (id !== undefined) {
              return ctx.json(await openSession(ctx, id, { passwordHash }));
            }
            if (parts.mail.kind === 'none') throw noMailForProof();
            await takeMail(person.email, ctx.request, parts);
          }
          const nonceHash = giveNonce(ctx);
          runInBackground(parts.log, () =>
            askToConfirm({ ...account, nonceHash }, parts.originOf(ctx.request), parts),
          );
          return ctx.json({ signedIn: false });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;

/**
 * The id of a new account; undefined where the address has one that nobody can sign in to, which
 * only its mailbox opens.
 */
async function register(
  { returnPath: _, ...person }: NewAccount,
  { database, clock }: AccountServices,
): Promise<string | undefined> {
  try {
    const { id } = await inTransaction(database, (tx) =>
      createAccount({ ...person, at: clock() }, tx),
    );
    return id;
  } catch (error) {
    if (!uniqueViolation(error)) throw error;
    const credential = await database.prisma.account.findFirst({
      where: { user: { email: person.email } },
      select: { id: true },
    });
    if (credential) throw accountExists();
    return undefined;
  }
}

async function askToConfirm(
  person: NewAccount & { nonceHash: string },
  origin: string,
  { database, clock, mail }: AccountServices,
): Promise<void> {
  const to = person.email;
  const claimed = { user: { email: to, emailVerified: true } };
  const account = await database.prisma.account.findFirst({ where: claimed, select: { id: true } });
  if (account) return mail.send(accountExistsEmail({ to, origin }));
  const secret = await issueSecret('sign-up', person, clock(), database.prisma);
  await mail.send(verificationEmail({ to, origin, secret }));
}
