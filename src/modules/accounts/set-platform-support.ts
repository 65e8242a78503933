import type { Database } from '../../platform/database/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { parseEmailAddress } from '../users/email-address.ts';

type SetPlatformSupport = { email: string; isPlatformSupport: boolean; trustsAddress?: boolean };

/**
 * Makes the owner of an account one of those who work for the platform, or takes that back. It
 * holds from their next request on. An unclaimed account may belong to a stranger who typed the
 * address: it gets the role only where the operator vouches for the address, which then counts as
 * proven.
 */
export async function setPlatformSupport(
  { email, isPlatformSupport, trustsAddress = false }: SetPlatformSupport,
  { database }: { database: Database },
): Promise<void> {
  const { user } = database.prisma;
  const found = await user.findUnique({
    where: { email: parseEmailAddress(email) ?? '' },
    select: { id: true, emailVerified: true },
  });
  if (!found) throw notFound('User');
  if (isPlatformSupport && !found.emailVerified && !trustsAddress) {
    throw new AppError(
      'FORBIDDEN',
      'Nobody has proven this address: its owner confirms it by the link of a mail, or you vouch for it with --trust-address',
    );
  }
  await user.update({
    where: { id: found.id },
    data: { isPlatformSupport, ...(isPlatformSupport && { emailVerified: true }) },
    select: { id: true },
  });
}
