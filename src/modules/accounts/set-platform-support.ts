import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { parseEmailAddress } from '../users/email-address.ts';

/** Makes the owner of an account one of those who work for the platform, or takes that back. It holds from their next request on. */
export async function setPlatformSupport(
  { email, isPlatformSupport }: { email: string; isPlatformSupport: boolean },
  { database }: { database: Database },
): Promise<void> {
  const { count } = await database.prisma.user.updateMany({ where: { email: parseEmailAddress(email) ?? '' }, data: { isPlatformSupport } });
  if (count === 0) throw notFound('User');
}
