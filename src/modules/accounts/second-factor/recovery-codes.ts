import { randomBytes } from 'node:crypto';
import type { Prisma } from '../../../platform/database/generated/client.ts';
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
export async function replaceRecoveryCodes(
  userId: string,
  { recoveryCode }: Prisma.TransactionClient,
): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, newCode);
  await recoveryCode.deleteMany({ where: { userId } });
  await recoveryCode.createMany({
    data: codes.map((code) => ({ id: newId(), userId, hash: hashText(normalized(code)) })),
  });
  return codes;
}

/** Deletes a recovery code. If several requests use the same code, only the first one gets true. */
export async function consumeRecoveryCode(
  userId: string,
  code: string,
  { recoveryCode }: Pick<Prisma.TransactionClient, 'recoveryCode'>,
): Promise<boolean> {
  return (
    (await recoveryCode.deleteMany({ where: { userId, hash: hashText(normalized(code)) } })).count >
    0
  );
}
