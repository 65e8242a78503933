import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Limits } from '../../platform/limits.ts';

type Probe = { organizationId: string; email: string };
type Parts = { database: Database; limits: Limits };
type Allowed = { isAllowed: boolean; retryAfterSeconds: number };

const probesAnHourMax = 30;
const hourSeconds = 3_600;
const free: Allowed = { isAllowed: true, retryAfterSeconds: 0 };

/**
 * Counts an address before an answer tells the organization whether it has an account. The
 * organization's own members are not counted, and neither is an address that it asked about already
 * in this hour.
 */
export async function lookUpAllowance(
  { organizationId, email }: Probe,
  { database, limits }: Parts,
): Promise<Allowed> {
  const { isMember } = await readAddress({ organizationId, email }, database);
  return isMember ? free : take({ counter: `look-ups:${organizationId}`, email }, limits);
}

/** For a call that tells by 200 or 404 whether an address has an account. */
export async function countLookUp(probe: Probe, parts: Parts): Promise<void> {
  refuseUnless(await lookUpAllowance(probe, parts));
}

/**
 * For a call that makes an account where there is none. New accounts are not counted, so that an
 * organization can bring in any number of people. An existing account is; after the last one that
 * is allowed the call is refused for every address, because a refusal of those with an account
 * alone would tell the same.
 */
export async function countExistingAccount(
  { organizationId, email }: Probe,
  { database, limits }: Parts,
): Promise<void> {
  const { isMember, hasAccount } = await readAddress({ organizationId, email }, database);
  if (isMember) return;
  const counter = `existing-accounts:${organizationId}`;
  if (hasAccount) return refuseUnless(await take({ counter, email }, limits));
  const { remaining, retryAfterSeconds } = await limits.look(counter, probesAnHourMax, hourSeconds);
  refuseUnless({ isAllowed: remaining > 0, retryAfterSeconds });
}

async function take(
  { counter, email }: { counter: string; email: string },
  limits: Limits,
): Promise<Allowed> {
  const counted = await limits.look(`${counter}:${email}`, 1, hourSeconds);
  if (counted.remaining === 0) return free;
  // The organization's count comes first: an address that is refused must not pass the next time as
  // one that was counted.
  const { exceeded, retryAfterSeconds } = await limits.take(counter, probesAnHourMax, hourSeconds);
  if (exceeded) return { isAllowed: false, retryAfterSeconds };
  const address = await limits.take(`${counter}:${email}`, 1, hourSeconds);
  if (address.exceeded) await limits.giveBack(counter, hourSeconds);
  return free;
}

function refuseUnless({ isAllowed, retryAfterSeconds }: Allowed): void {
  if (isAllowed) return;
  const message = `An organization can ask about ${probesAnHourMax} addresses an hour that are not its members'; try again in ${retryAfterSeconds} s`;
  throw new AppError('RATE_LIMITED', message, undefined, retryAfterSeconds);
}

async function readAddress(
  { organizationId, email }: Probe,
  { unscoped }: Database,
): Promise<{ isMember: boolean; hasAccount: boolean }> {
  // An account of which the organization sees nothing counts as well.
  const [known] = await unscoped.sql<{ isMember: boolean; hasAccount: boolean }>`
    select exists (select from users u where u.email = ${email}) as "hasAccount",
      exists (select from users u join memberships m on m.user_id = u.id where u.email = ${email} and m.organization_id = ${organizationId}) as "isMember"`;
  return known ?? { isMember: false, hasAccount: false };
}
