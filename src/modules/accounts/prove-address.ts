import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { uniqueViolation } from '../../platform/database/faults.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { claimAddress } from './claim-account.ts';
import { passwordRule } from './new-password.ts';
import { hashPassword } from './password.ts';
import { isEasyToGuess, type PersonalTexts } from './password-strength.ts';
import { wrongFirstName } from './read-sign-up.ts';
import { accountExists, deadLink, wrongFields } from './refusals.ts';
import { readSecret, spendSecret } from './secret-link.ts';

const signUpLink = z.object({
  ...{
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    passwordHash: z.string(),
    returnPath: z.string(),
  },
  // A link from before links were bound to a browser has none, and matches no browser.
  nonceHash: z.string().optional(),
});
const verifyLink = z.object({
  userId: z.string(),
  email: z.string(),
  returnPath: z.string(),
  nonceHash: z.string().optional(),
});

type Link =
  | ({ purpose: 'sign-up' } & z.output<typeof signUpLink>)
  | ({ purpose: 'verify-address' } & z.output<typeof verifyLink>);
type Names = { firstName: string; lastName: string };

export type AddressClaimant = {
  /** The hash of the nonce in the cookie of the browser that opens the link. */
  nonceHash: string | undefined;
  signedInAs: string | undefined;
  /** Chosen on the page of the link. */
  password: string | undefined;
  names: Names | undefined;
};

export type ProofResult =
  | { isProven: true; userId: string; returnPath: string; isKept: boolean }
  /**
   * The link is not spent: its page asks for a password, and for a name where the account has none.
   */
  | { isProven: false; email: string; needsName: boolean };

type Parts = { database: Database; clock: Clock; credentialsChanged: () => void };

/**
 * Whoever has the secret of a mail can read the mailbox, and claims the account of its address. A
 * password that was chosen before counts only in the browser that chose it, or that is signed in to
 * the account: anybody else may be a stranger to the person who reads the mail, so that person
 * chooses a password now.
 */
export async function proveAddress(
  secret: string,
  claimant: AddressClaimant,
  parts: Parts,
): Promise<ProofResult> {
  try {
    return await prove(secret, claimant, parts);
  } catch (error) {
    // Another link for the same address made the account in the same moment: now it exists.
    if (uniqueViolation(error)) return prove(secret, claimant, parts);
    throw error;
  }
}

async function prove(
  secret: string,
  claimant: AddressClaimant,
  parts: Parts,
): Promise<ProofResult> {
  const { link, user } = await readLink(secret, parts);
  const { purpose, email, returnPath } = link;
  const isSameBrowser = link.nonceHash !== undefined && link.nonceHash === claimant.nonceHash;
  const holdsAccount =
    user !== null &&
    (claimant.signedInAs === user.id || (purpose === 'verify-address' && isSameBrowser));
  if (user && holdsAccount && user.accounts.length > 0) {
    await spendIn({ secret, link }, parts, (tx) => confirm({ userId: user.id, email }, tx));
    return { isProven: true, userId: user.id, returnPath, isKept: true };
  }
  const needsName = purpose === 'sign-up' || !user?.firstName;
  const chosen =
    link.purpose === 'sign-up' && isSameBrowser
      ? chosenBefore(link)
      : await chooseNow(claimant, {
          needsName,
          personalTexts: [email, user?.firstName, user?.lastName],
        });
  if (!chosen) return { isProven: false, email, needsName };
  const account = await spendIn({ secret, link }, parts, async (tx) => {
    const claimed = await claimAddress({ email, ...chosen, at: parts.clock() }, tx);
    if (!claimed) throw purpose === 'sign-up' ? accountExists() : deadLink();
    return claimed;
  });
  parts.credentialsChanged();
  return { isProven: true, userId: account.id, returnPath, isKept: false };
}

/** What the link is about, and the account that its address has now. */
async function readLink(secret: string, { database: { prisma }, clock }: Parts) {
  const select = {
    id: true,
    email: true,
    emailVerified: true,
    firstName: true,
    lastName: true,
    accounts: { select: { id: true }, take: 1 },
  };
  const verify = await readSecret('verify-address', secret, clock(), prisma);
  if (verify !== undefined) {
    const link: Link = { purpose: 'verify-address', ...verifyLink.parse(JSON.parse(verify)) };
    const user = await prisma.user.findUnique({ where: { id: link.userId }, select });
    // The account may have another address by now, or be claimed already.
    if (!user || user.email !== link.email || user.emailVerified) throw deadLink();
    return { link, user };
  }
  const signUp = await readSecret('sign-up', secret, clock(), prisma);
  if (signUp === undefined) throw deadLink();
  const link: Link = { purpose: 'sign-up', ...signUpLink.parse(JSON.parse(signUp)) };
  const user = await prisma.user.findUnique({ where: { email: link.email }, select });
  if (user?.emailVerified && user.accounts.length > 0) throw accountExists();
  return { link, user };
}

type Chosen = { passwordHash: string; names: Names | undefined };

const chosenBefore = ({
  passwordHash,
  firstName,
  lastName,
}: z.output<typeof signUpLink>): Chosen => ({ passwordHash, names: { firstName, lastName } });

type ChooseNow = { needsName: boolean; personalTexts: PersonalTexts };

async function chooseNow(
  { password, names }: AddressClaimant,
  { needsName, personalTexts }: ChooseNow,
): Promise<Chosen | undefined> {
  if (password === undefined) return undefined;
  if (needsName && !names) throw wrongFields({ firstName: wrongFirstName });
  if (isEasyToGuess(password, [...personalTexts, ...Object.values(names ?? {})]))
    throw wrongFields({ password: passwordRule });
  return { passwordHash: await hashPassword(password), names };
}

/** Ends the link and does what it is for, or neither. */
function spendIn<T>(
  { secret, link }: { secret: string; link: Link },
  { database }: Parts,
  run: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> {
  return inTransaction(database, async (tx) => {
    if (!(await spendSecret(link.purpose, secret, tx))) throw deadLink();
    return run(tx);
  });
}

async function confirm(
  { userId, email }: { userId: string; email: string },
  tx: Prisma.TransactionClient,
): Promise<void> {
  const { count } = await tx.user.updateMany({
    where: { id: userId, email, emailVerified: false },
    data: { emailVerified: true },
  });
  if (count === 0) throw deadLink();
}
