import type { Database } from '../../platform/database/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { parseEmailAddress } from '../users/email-address.ts';

type PlatformSupportChange = { email: string; isPlatformSupport: boolean; trustsAddress?: boolean };

/**
 * Grants or revokes the role of platform support. It takes effect with the person's next request.
 * An unclaimed account may belong to a stranger who typed the address, so it gets the role only if
 * the operator vouches for the address, which then counts as verified.
 */
export async function setPlatformSupport(
  { email, isPlatformSupport, trustsAddress = false }: PlatformSupportChange,
  { database }: { database: Database },
): Promise<void> {
  const [existing] = await database.sql<{ id: string; emailVerified: boolean }>`
    select id, email_verified as "emailVerified" from users where email = ${parseEmailAddress(email) ?? ''}`;
  if (!existing) throw notFound('User');
  if (isPlatformSupport && !existing.emailVerified && !trustsAddress) {
    throw new AppError(
      'FORBIDDEN',
      'Nobody has proven this address: its owner confirms it by the link of a mail, or you vouch for it with --trust-address',
      'EMAIL_NOT_VERIFIED',
    );
  }
  await database.sql`
    update users set is_platform_support = ${isPlatformSupport}, email_verified = email_verified or ${isPlatformSupport}, updated_at = now()
    where id = ${existing.id}`;
}
