import { randomBytes } from 'node:crypto';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { hashText } from '../../platform/hash.ts';
import { newId } from '../../platform/ids.ts';

/** What a link in a mail, or the cookie of an unfinished sign-in, is for, and how long it works. */
const purposes = {
  'sign-up': { hours: 24 },
  'verify-address': { hours: 24 },
  'reset-password': { hours: 1 },
  'second-factor': { hours: 1 / 6 },
  'new-passkey': { hours: 1 / 12 },
  'passkey-sign-in': { hours: 1 / 12 },
  'added-membership': { hours: 30 * 24 },
} as const;

type Purpose = keyof typeof purposes;
type Verifications = Pick<Prisma.TransactionClient, 'verification'>;

/**
 * Makes the secret of a link, which is nowhere but in that link: what is kept is its hash, beside
 * what the link is about.
 */
export async function issueSecret(
  purpose: Purpose,
  value: object,
  at: Date,
  { verification }: Verifications,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const expiresAt = new Date(at.getTime() + purposes[purpose].hours * 3_600_000);
  await verification.deleteMany({ where: { expiresAt: { lt: at } } });
  await verification.create({
    data: {
      id: newId(at.getTime()),
      identifier: nameOf(purpose, secret),
      value: JSON.stringify(value),
      expiresAt,
    },
  });
  return secret;
}

/** What a link is about, as JSON, while it works. */
export async function readSecret(
  purpose: Purpose,
  secret: string,
  at: Date,
  { verification }: Verifications,
): Promise<string | undefined> {
  const found = await verification.findFirst({
    where: { identifier: nameOf(purpose, secret), expiresAt: { gt: at } },
    select: { value: true },
  });
  return found?.value;
}

/** Ends a link. Of all who hold it only the first is told true. */
export async function spendSecret(
  purpose: Purpose,
  secret: string,
  { verification }: Verifications,
): Promise<boolean> {
  return (
    (await verification.deleteMany({ where: { identifier: nameOf(purpose, secret) } })).count > 0
  );
}

const nameOf = (purpose: Purpose, secret: string) =>
  `${purpose}:${Buffer.from(hashText(secret)).toString('hex')}`;

/**
 * Ends all links of one purpose that are for this account or this address: the value of a link
 * names it first.
 */
export async function endSecretsOf(
  owner: { userId: string } | { email: string },
  purpose: Purpose,
  { verification }: Verifications,
): Promise<void> {
  const value = { startsWith: JSON.stringify(owner).slice(0, -1) };
  await verification.deleteMany({ where: { identifier: { startsWith: `${purpose}:` }, value } });
}
