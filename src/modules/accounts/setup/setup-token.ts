import type { Prisma } from '../../../platform/database/generated/client.ts';
import { hashText } from '../../../platform/hash.ts';

/** The id of the only row in which a set-up token is stored. */
export const setupId = 'setup';

export const hashSetupToken = (token: string): string =>
  Buffer.from(hashText(token)).toString('hex');

/** Finds the stored token if it equals this one and has not expired. */
export const validSetupToken = (token: string, now: Date) =>
  ({
    id: setupId,
    value: hashSetupToken(token),
    expiresAt: { gt: now },
  }) satisfies Prisma.VerificationWhereInput;
