import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../../platform/database/open-transaction.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { hashText } from '../../../platform/hash.ts';
import { newId } from '../../../platform/ids.ts';
import { base32 } from './totp.ts';

const codeCount = 10;

/** A code has 80 random bits, too many to guess from the hash, so a plain SHA-256 is enough. */
const newCode = () => base32(randomBytes(10)).replaceAll(/(.{4})(?=.)/g, '$1-');

/** People type codes in lower case, with spaces, or without hyphens. */
const normalized = (code: string) => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/**
 * Replaces all recovery codes of a person. The codes are shown once; only their hashes are stored.
 */
export function replaceRecoveryCodes(userId: string, tx: Pick<Transaction, 'enqueue'>): string[] {
  const codes = Array.from({ length: codeCount }, newCode);
  tx.enqueue`delete from recovery_codes where user_id = ${userId}`;
  for (const code of codes)
    tx.enqueue`
      insert into recovery_codes (id, user_id, hash) values (${newId()}, ${userId}, ${hashText(normalized(code))})`;
  return codes;
}

/** Deletes a recovery code. If several requests use the same code, only the first one gets true. */
export async function consumeRecoveryCode(
  userId: string,
  code: string,
  { sql }: { sql: Sql },
): Promise<boolean> {
  const deleted = await sql`
    delete from recovery_codes where user_id = ${userId} and hash = ${hashText(normalized(code))} returning id`;
  return deleted.length > 0;
}
