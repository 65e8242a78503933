import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { consumeRecoveryCode } from './recovery-codes.ts';
import type { SecretCipher } from './secret-cipher.ts';
import { matchingStep } from './totp.ts';

export type CodeKind = 'APP' | 'RECOVERY_CODE';

type CodeCheck = { userId: string; code: string };
type CheckCodeServices = { database: Database; clock: Clock; secretCipher: SecretCipher };

/**
 * Returns the factor of a typed code: six digits are a code of the authenticator app, anything else
 * is a recovery code. Returns undefined for a wrong or used code.
 */
export async function checkCode(
  { userId, code }: CodeCheck,
  { database, clock, secretCipher }: CheckCodeServices,
): Promise<CodeKind | undefined> {
  const digits = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(digits))
    return (await consumeRecoveryCode(userId, code, database)) ? 'RECOVERY_CODE' : undefined;
  const [app] = await database.sql<{ id: string; secret: string }>`
    select id, secret from authenticator_apps where user_id = ${userId} and confirmed_at is not null limit 1`;
  if (!app) return undefined;
  const lastStep = matchingStep(await secretCipher.decrypt(app.secret), digits, clock());
  if (lastStep === undefined) return undefined;
  // With one conditional UPDATE, only one of two requests with the same code changes the row.
  const accepted = await database.sql`
    update authenticator_apps set last_step = ${lastStep} where id = ${app.id} and last_step < ${lastStep} returning id`;
  return accepted.length > 0 ? 'APP' : undefined;
}
