import { randomBytes } from 'node:crypto';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { hashText } from '../../platform/hash.ts';
import { newId } from '../../platform/ids.ts';

/**
 * The purposes of links in mails and of the cookies of unfinished sign-ins, and how long each is
 * valid.
 */
const purposes = {
  'sign-up': { hours: 24 },
  'verify-address': { hours: 24 },
  'reset-password': { hours: 1 },
  'second-factor': { hours: 1 / 6 },
  'new-passkey': { hours: 1 / 12 },
  'passkey-sign-in': { hours: 1 / 12 },
  'added-membership': { hours: 30 * 24 },
} as const;

type LinkPurpose = keyof typeof purposes;
type VerificationClient = Pick<Prisma.TransactionClient, 'verification'>;

/**
 * Creates the secret of a link. The database stores its hash and the content of the link; the
 * secret itself is only in the link.
 */
export async function issueSecret(
  purpose: LinkPurpose,
  value: object,
  at: Date,
  { verification }: VerificationClient,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const expiresAt = new Date(at.getTime() + purposes[purpose].hours * 3_600_000);
  await verification.deleteMany({ where: { expiresAt: { lt: at } } });
  await verification.create({
    data: {
      id: newId(at.getTime()),
      identifier: identifierOf(purpose, secret),
      value: JSON.stringify(value),
      expiresAt,
    },
  });
  return secret;
}

/** Returns the content of a valid link as JSON. */
export async function readSecret(
  purpose: LinkPurpose,
  secret: string,
  at: Date,
  { verification }: VerificationClient,
): Promise<string | undefined> {
  const row = await verification.findFirst({
    where: { identifier: identifierOf(purpose, secret), expiresAt: { gt: at } },
    select: { value: true },
  });
  return row?.value;
}

/** Deletes a link. If several requests use the same link, only the first one gets true. */
export async function consumeSecret(
  purpose: LinkPurpose,
  secret: string,
  { verification }: VerificationClient,
): Promise<boolean> {
  return (
    (await verification.deleteMany({ where: { identifier: identifierOf(purpose, secret) } }))
      .count > 0
  );
}

const identifierOf = (purpose: LinkPurpose, secret: string) =>
  `${purpose}:${Buffer.from(hashText(secret)).toString('hex')}`;

/**
 * Deletes all links of one purpose for this account or this address. The stored JSON begins with
 * the owner.
 */
export async function deleteSecretsOf(
  owner: { userId: string } | { email: string },
  purpose: LinkPurpose,
  { verification }: VerificationClient,
): Promise<void> {
  const value = { startsWith: JSON.stringify(owner).slice(0, -1) };
  await verification.deleteMany({ where: { identifier: { startsWith: `${purpose}:` }, value } });
}
