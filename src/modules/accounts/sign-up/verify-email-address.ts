import { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { uniqueViolation } from '../../../platform/database/faults.ts';
import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { type Fragment, fragment } from '../../../platform/database/sql.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { accountExists, invalidFields, linkNotValid } from '../account-errors.ts';
import { passwordRule } from '../passwords/new-password.ts';
import { hashPassword } from '../passwords/password.ts';
import { isEasyToGuess, type PersonalTexts } from '../passwords/password-strength.ts';
import { consumeSecret, readSecret } from '../secret-link.ts';
import { claimAddress } from './claim-account.ts';
import { firstNameMessage } from './parse-sign-up.ts';

const signUpLink = z.object({
  ...{
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    passwordHash: z.string(),
    returnPath: z.string(),
  },
  // Links that were issued before links were bound to a browser have no nonce, so they match no
  // browser.
  nonceHash: z.string().optional(),
});
const verifyLink = z.object({
  userId: z.string(),
  email: z.string(),
  returnPath: z.string(),
  nonceHash: z.string().optional(),
});

type VerificationLink =
  | ({ purpose: 'sign-up' } & z.output<typeof signUpLink>)
  | ({ purpose: 'verify-address' } & z.output<typeof verifyLink>);
type PersonNames = { firstName: string; lastName: string };

export type AddressClaimant = {
  /** The hash of the nonce in the cookie of the browser that opens the link. */
  nonceHash: string | undefined;
  signedInAs: string | undefined;
  /** The password that the person chose on the page of the link. */
  password: string | undefined;
  names: PersonNames | undefined;
};

export type VerificationResult =
  | { isVerified: true; userId: string; returnPath: string; keepsPassword: boolean }
  /**
   * The link stays valid: its page must ask for a password, and for a name if the account has no
   * name.
   */
  | { isVerified: false; email: string; needsName: boolean };

type VerificationDependencies = {
  database: Database;
  clock: Clock;
  credentialsChanged: () => void;
};

/**
 * Verifies an e-mail address with the secret of a mailed link. The secret proves that the person
 * can read the mailbox, so they claim the account of the address. A password that was chosen before
 * is used only if the same browser opens the link, or a browser that is signed in to the account.
 * In any other browser the password may be a stranger's, so the person who reads the mail chooses a
 * new one.
 */
export async function verifyEmailAddress(
  secret: string,
  claimant: AddressClaimant,
  dependencies: VerificationDependencies,
): Promise<VerificationResult> {
  try {
    return await verify(secret, claimant, dependencies);
  } catch (error) {
    // Another link for the same address created the account at the same time. The account now
    // exists, so a second try finds it.
    if (uniqueViolation(error)) return verify(secret, claimant, dependencies);
    throw error;
  }
}

async function verify(
  secret: string,
  claimant: AddressClaimant,
  dependencies: VerificationDependencies,
): Promise<VerificationResult> {
  const { link, user } = await readLink(secret, dependencies);
  const { purpose, email, returnPath } = link;
  const isSameBrowser = link.nonceHash !== undefined && link.nonceHash === claimant.nonceHash;
  const ownsAccount =
    user !== undefined &&
    (claimant.signedInAs === user.id || (purpose === 'verify-address' && isSameBrowser));
  if (user && ownsAccount && user.hasCredential) {
    await consumeLink({ secret, link }, dependencies, (tx) =>
      markVerified({ userId: user.id, email }, tx),
    );
    return { isVerified: true, userId: user.id, returnPath, keepsPassword: true };
  }
  const needsName = purpose === 'sign-up' || !user?.firstName;
  const credential =
    link.purpose === 'sign-up' && isSameBrowser
      ? credentialOfLink(link)
      : await credentialOfClaimant(claimant, {
          needsName,
          personalTexts: [email, user?.firstName, user?.lastName],
        });
  if (!credential) return { isVerified: false, email, needsName };
  const account = await consumeLink({ secret, link }, dependencies, async (tx) => {
    const claimed = await claimAddress({ email, ...credential, at: dependencies.clock() }, tx);
    if (!claimed) throw purpose === 'sign-up' ? accountExists() : linkNotValid();
    return claimed;
  });
  dependencies.credentialsChanged();
  return { isVerified: true, userId: account.id, returnPath, keepsPassword: false };
}

/** Returns the content of the link and the current account of its address. */
async function readLink(
  secret: string,
  { database, clock }: VerificationDependencies,
): Promise<{ link: VerificationLink; user: LinkedAccount | undefined }> {
  const verify = await readSecret('verify-address', secret, clock(), database);
  if (verify !== undefined) {
    const link: VerificationLink = {
      purpose: 'verify-address',
      ...verifyLink.parse(JSON.parse(verify)),
    };
    const user = await findAccount(fragment`id = ${link.userId}`, database);
    // The address of the account may have changed, or the account may have been claimed since the
    // mail was sent.
    if (!user || user.email !== link.email || user.emailVerified) throw linkNotValid();
    return { link, user };
  }
  const signUp = await readSecret('sign-up', secret, clock(), database);
  if (signUp === undefined) throw linkNotValid();
  const link: VerificationLink = { purpose: 'sign-up', ...signUpLink.parse(JSON.parse(signUp)) };
  const user = await findAccount(fragment`email = ${link.email}`, database);
  if (user?.emailVerified && user.hasCredential) throw accountExists();
  return { link, user };
}

type LinkedAccount = {
  id: string;
  email: string;
  emailVerified: boolean;
  firstName: string;
  lastName: string;
  hasCredential: boolean;
};

async function findAccount(
  condition: Fragment,
  { sql }: Database,
): Promise<LinkedAccount | undefined> {
  const [user] = await sql<LinkedAccount>`
    select id, email, email_verified as "emailVerified", first_name as "firstName", last_name as "lastName",
      exists (select from accounts where user_id = users.id) as "hasCredential"
    from users where ${condition}`;
  return user;
}

type ChosenCredential = { passwordHash: string; names: PersonNames | undefined };

const credentialOfLink = ({
  passwordHash,
  firstName,
  lastName,
}: z.output<typeof signUpLink>): ChosenCredential => ({
  passwordHash,
  names: { firstName, lastName },
});

type PasswordRequirements = { needsName: boolean; personalTexts: PersonalTexts };

async function credentialOfClaimant(
  { password, names }: AddressClaimant,
  { needsName, personalTexts }: PasswordRequirements,
): Promise<ChosenCredential | undefined> {
  if (password === undefined) return undefined;
  if (needsName && !names) throw invalidFields({ firstName: firstNameMessage });
  if (isEasyToGuess(password, [...personalTexts, ...Object.values(names ?? {})]))
    throw invalidFields({ password: passwordRule });
  return { passwordHash: await hashPassword(password), names };
}

/** Deletes the link and runs the change in one transaction. */
function consumeLink<T>(
  { secret, link }: { secret: string; link: VerificationLink },
  { database }: VerificationDependencies,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(database, async (tx) => {
    if (!(await consumeSecret(link.purpose, secret, tx))) throw linkNotValid();
    return run(tx);
  });
}

async function markVerified(
  { userId, email }: { userId: string; email: string },
  { sql }: Transaction,
): Promise<void> {
  const verified = await sql`
    update users set email_verified = true, updated_at = now()
    where id = ${userId} and email = ${email} and not email_verified returning id`;
  if (verified.length === 0) throw linkNotValid();
}
