import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { RateLimits } from '../../../platform/limits.ts';
import { networkOf } from '../../../platform/network-of.ts';
import { grantOf, verifyLinkPassword } from '../links/link-password.ts';
import { recordWrongPassword } from '../links/wrong-passwords.ts';
import { countPasswordAttempt } from './password-attempts.ts';
import { readOffer } from './read-offer.ts';
import { RedemptionRefused } from './refusal.ts';

type CheckLinkPasswordInput = {
  token: string;
  password: string;
  clientAddress: string | undefined;
};
type CheckLinkPasswordDependencies = { database: Database; clock: Clock; limits: RateLimits };

/**
 * Checks the password of a link and returns the grant that a reservation needs. The grant is null
 * if the link has no password.
 */
export async function checkLinkPassword(
  { token, password, clientAddress }: CheckLinkPasswordInput,
  { database, clock, limits }: CheckLinkPasswordDependencies,
): Promise<{ grant: string | null }> {
  const { linkId, passwordHash } = await readOffer(
    { token, userId: null, at: clock() },
    { database },
  );
  if (passwordHash === null) return { grant: null };
  const uncountAttempt = await countPasswordAttempt({ linkId, clientAddress }, limits);
  const client = { network: networkOf(clientAddress), isKnownDevice: false };
  if (!(await verifyLinkPassword({ hash: passwordHash, password }, client))) {
    await recordWrongPassword({ linkId, at: clock() }, { database });
    throw new RedemptionRefused('PASSWORD_WRONG');
  }
  // An office behind one address may have more people who know the password than the limit allows
  // attempts, so a correct password does not count.
  await uncountAttempt();
  return { grant: grantOf({ linkId, passwordHash }) };
}
