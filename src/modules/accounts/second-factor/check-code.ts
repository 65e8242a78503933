import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { spendRecoveryCode } from './recovery-codes.ts';
import type { SecretCipher } from './secret-cipher.ts';
import { matchingStep } from './totp.ts';

export type CodeKind = 'APP' | 'RECOVERY_CODE';

type CheckCode = { userId: string; code: string };
type Services = { database: Database; clock: Clock; secretCipher: SecretCipher };

/**
 * Which factor a typed code shows: six digits are of the authenticator app, anything else is a
 * recovery code. Undefined for a wrong or used code.
 */
export async function checkCode(
  { userId, code }: CheckCode,
  { database, clock, secretCipher }: Services,
): Promise<CodeKind | undefined> {
  const digits = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(digits))
    return (await spendRecoveryCode(userId, code, database.prisma)) ? 'RECOVERY_CODE' : undefined;
  const { authenticatorApp } = database.prisma;
  const app = await authenticatorApp.findFirst({
    where: { userId, confirmedAt: { not: null } },
    select: { id: true, secret: true },
  });
  if (!app) return undefined;
  const lastStep = matchingStep(await secretCipher.decrypt(app.secret), digits, clock());
  if (lastStep === undefined) return undefined;
  // One conditional UPDATE: of two requests with the same code only one changes the row.
  const { count } = await authenticatorApp.updateMany({
    where: { id: app.id, lastStep: { lt: lastStep } },
    data: { lastStep },
  });
  return count > 0 ? 'APP' : undefined;
}
