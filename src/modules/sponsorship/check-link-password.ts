import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Limits } from '../../platform/limits.ts';
import { networkOf } from '../../platform/network-of.ts';
import { grantOf, verifyLinkPassword } from './link-password.ts';
import { readOffer } from './read-offer.ts';
import { RedemptionRefused } from './refusal.ts';

type CheckLinkPassword = { token: string; password: string; clientAddress: string | undefined };
type Parts = { database: Database; clock: Clock; limits: Limits };

const windows = [
  { triesMax: 10, windowSeconds: 900 },
  // So that the 10,000 passwords of four digits are not through within days.
  { triesMax: 50, windowSeconds: 86_400 },
];

/** What the right password is worth: the grant that reserving asks for. Null where the link asks for none. */
export async function checkLinkPassword(
  { token, password, clientAddress }: CheckLinkPassword,
  { database, clock, limits }: Parts,
): Promise<{ grant: string | null }> {
  const { linkId, passwordHash } = await readOffer({ token, userId: null, at: clock() }, { database });
  if (passwordHash === null) return { grant: null };
  const counts = windows.map((window) => ({ ...window, name: `link-password:${linkId}:${networkOf(clientAddress)}:${window.windowSeconds}` }));
  // Counted before the comparison, so that many at once get no more tries than one after the other; and for each address,
  // so that nobody can use up the tries of others.
  const taken = await Promise.all(counts.map(({ name, triesMax, windowSeconds }) => limits.take(name, triesMax, windowSeconds)));
  if (taken.some(({ exceeded }) => exceeded)) throw new AppError('RATE_LIMITED', 'Too many tries. Please try again later.');
  if (!(await verifyLinkPassword({ hash: passwordHash, password }))) throw new RedemptionRefused('PASSWORD_WRONG');
  // An office behind one address may hold more people who know the password than there are tries.
  await Promise.all(counts.map(({ name, windowSeconds }) => limits.giveBack(name, windowSeconds)));
  return { grant: grantOf({ linkId, passwordHash }) };
}
