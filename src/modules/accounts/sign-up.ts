import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { z } from 'zod';
import { uniqueViolation } from '../../platform/database/faults.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { afterwards } from './afterwards.ts';
import { createAccount } from './create-account.ts';
import { accountExistsLetter, verifyLetter } from './letters.ts';
import { takeMail } from './mail-allowance.ts';
import { openSession } from './open-session.ts';
import type { AccountParts } from './parts.ts';
import { readSignUp, type SignUp } from './read-sign-up.ts';
import { accountExists } from './refusals.ts';
import { requireSignUp } from './require-sign-up.ts';
import { issueSecret } from './secret-link.ts';

type NewAccount = Omit<SignUp, 'password'> & { passwordHash: string };

/**
 * Takes the place of better-auth's own sign-up by e-mail. Where addresses must be confirmed there is no account before that:
 * nobody can keep an address for themselves that they can not read, and strangers learn nothing of who has an account.
 */
export const signUp = (parts: AccountParts) =>
  ({
    id: 'atrium-sign-up',
    endpoints: {
      signUpEmail: createAuthEndpoint(
        '/sign-up/email',
        { method: 'POST', use: [formCsrfMiddleware], requireRequest: true, body: z.record(z.string(), z.unknown()) },
        async (ctx) => {
          const { password, ...person } = readSignUp(ctx.body);
          await requireSignUp(person, parts);
          const mailed = parts.options.emailVerification === 'required';
          if (mailed) await takeMail(person.email, ctx.request, parts.limits);
          const passwordHash = await ctx.context.password.hash(password);
          if (mailed) afterwards(parts.log, () => askToConfirm({ ...person, passwordHash }, parts.originOf(ctx.request), parts));
          else await openSession(ctx, await register({ ...person, passwordHash }, parts));
          return ctx.json({ signedIn: !mailed });
        },
      ),
    },
  }) satisfies BetterAuthPlugin;

async function register({ returnPath: _, ...person }: NewAccount, { database, clock }: AccountParts): Promise<string> {
  try {
    const { id } = await inTransaction(database, (tx) => createAccount({ ...person, at: clock() }, tx));
    return id;
  } catch (error) {
    if (uniqueViolation(error)) throw accountExists();
    throw error;
  }
}

async function askToConfirm(person: NewAccount, origin: string, { database, clock, mail }: AccountParts): Promise<void> {
  const to = person.email;
  const account = await database.prisma.account.findFirst({ where: { user: { email: to }, providerId: 'credential' }, select: { id: true } });
  if (account) return mail.send(accountExistsLetter({ to, origin }));
  const secret = await issueSecret('sign-up', person, clock(), database.prisma);
  await mail.send(verifyLetter({ to, origin, secret }));
}
