import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import type { Sql } from '../../platform/database/sql.ts';
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
/** The database, or a transaction. */
type SqlExecutor = { sql: Sql };

/**
 * Creates the secret of a link. The database stores its hash and the content of the link; the
 * secret itself is only in the link.
 */
export async function issueSecret(
  purpose: LinkPurpose,
  value: object,
  at: Date,
  { sql }: SqlExecutor,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const expiresAt = new Date(at.getTime() + purposes[purpose].hours * 3_600_000);
  await sql`
    with expired as (delete from verifications where expires_at < ${at})
    insert into verifications (id, identifier, value, expires_at)
    values (${newId(at.getTime())}, ${identifierOf(purpose, secret)}, ${JSON.stringify(value)}, ${expiresAt})`;
  return secret;
}

/** Returns the content of a valid link as JSON. */
export async function readSecret(
  purpose: LinkPurpose,
  secret: string,
  at: Date,
  { sql }: SqlExecutor,
): Promise<string | undefined> {
  const [row] = await sql<{ value: string }>`
    select value from verifications where identifier = ${identifierOf(purpose, secret)} and expires_at > ${at}`;
  return row?.value;
}

/** Deletes a link. If several requests use the same link, only the first one gets true. */
export async function consumeSecret(
  purpose: LinkPurpose,
  secret: string,
  { sql }: SqlExecutor,
): Promise<boolean> {
  const deleted = await sql`
    delete from verifications where identifier = ${identifierOf(purpose, secret)} returning id`;
  return deleted.length > 0;
}

const identifierOf = (purpose: LinkPurpose, secret: string) =>
  `${purpose}:${Buffer.from(hashText(secret)).toString('hex')}`;

/**
 * Deletes all links of one purpose for this account or this address. The stored JSON begins with
 * the owner.
 */
export function deleteSecretsOf(
  owner: { userId: string } | { email: string },
  purpose: LinkPurpose,
  tx: Pick<Transaction, 'enqueue'>,
): void {
  const begin = JSON.stringify(owner).slice(0, -1);
  tx.enqueue`
    delete from verifications where starts_with(identifier, ${`${purpose}:`}) and starts_with(value, ${begin})`;
}
