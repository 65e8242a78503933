import type { Prisma } from '../../platform/database/generated/client.ts';
import { hashText } from '../../platform/hash.ts';

/** The only row that a set-up token is ever kept in. */
export const setupId = 'setup';

export const hashSetupToken = (token: string): string =>
  Buffer.from(hashText(token)).toString('hex');

/** The stored token that this one is, if it still opens the set-up. */
export const validSetupToken = (token: string, now: Date) =>
  ({
    id: setupId,
    value: hashSetupToken(token),
    expiresAt: { gt: now },
  }) satisfies Prisma.VerificationWhereInput;
