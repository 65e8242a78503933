import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { hashSetupToken, setupId } from './setup-token.ts';

const validMs = 24 * 3_600_000;

/**
 * Returns the path of the page that creates the first administrator, or null if there is an
 * organization already. Each new link ends the previous one.
 */
export async function createSetupLink({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): Promise<string | null> {
  if (await database.prisma.organization.findFirst({ select: { id: true } })) return null;
  const token = randomBytes(32).toString('base64url');
  const stored = { value: hashSetupToken(token), expiresAt: new Date(clock().getTime() + validMs) };
  // There is only one row, so two processes that start at the same time cannot leave two valid
  // tokens.
  await database.prisma.verification.upsert({
    where: { id: setupId },
    create: { id: setupId, identifier: setupId, ...stored },
    update: stored,
    select: { id: true },
  });
  return `/setup?token=${token}`;
}
