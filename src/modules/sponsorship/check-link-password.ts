import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Limits } from '../../platform/limits.ts';
import { networkOf } from '../../platform/network-of.ts';
import { grantOf, verifyLinkPassword } from './link-password.ts';
import { takePasswordTry } from './password-tries.ts';
import { readOffer } from './read-offer.ts';
import { RedemptionRefused } from './refusal.ts';
import { noteWrongPassword } from './wrong-passwords.ts';

type CheckLinkPassword = { token: string; password: string; clientAddress: string | undefined };
type Parts = { database: Database; clock: Clock; limits: Limits };

/**
 * What the right password is worth: the grant that reserving asks for. Null where the link asks for
 * none.
 */
export async function checkLinkPassword(
  { token, password, clientAddress }: CheckLinkPassword,
  { database, clock, limits }: Parts,
): Promise<{ grant: string | null }> {
  const { linkId, passwordHash } = await readOffer(
    { token, userId: null, at: clock() },
    { database },
  );
  if (passwordHash === null) return { grant: null };
  const giveBack = await takePasswordTry({ linkId, clientAddress }, limits);
  const turn = { network: networkOf(clientAddress), isKnownDevice: false };
  if (!(await verifyLinkPassword({ hash: passwordHash, password }, turn))) {
    await noteWrongPassword({ linkId, at: clock() }, { database });
    throw new RedemptionRefused('PASSWORD_WRONG');
  }
  // An office behind one address may hold more people who know the password than there are tries.
  await giveBack();
  return { grant: grantOf({ linkId, passwordHash }) };
}
