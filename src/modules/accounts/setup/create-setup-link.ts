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
  const organizations = await database.sql`select id from organizations limit 1`;
  if (organizations.length > 0) return null;
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(clock().getTime() + validMs);
  // There is only one row, so two processes that start at the same time cannot leave two valid
  // tokens.
  await database.sql`
    insert into verifications (id, identifier, value, expires_at)
    values (${setupId}, ${setupId}, ${hashSetupToken(token)}, ${expiresAt})
    on conflict (id) do update set value = excluded.value, expires_at = excluded.expires_at, updated_at = now()`;
  return `/setup?token=${token}`;
}
