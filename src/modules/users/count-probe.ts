import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { RateLimits } from '../../platform/limits.ts';

type AccountProbe = { organizationId: string; email: string };
type ProbeDependencies = { database: Database; limits: RateLimits };
type ProbeAllowance = { isAllowed: boolean; retryAfterSeconds: number };

const probesPerHourMax = 30;
const hourSeconds = 3_600;
const uncounted: ProbeAllowance = { isAllowed: true, retryAfterSeconds: 0 };

/**
 * Counts an address before a response reveals to the organization whether the address has an
 * account. The organization's own members do not count, and an address counts once an hour.
 */
export async function countLookup(
  { organizationId, email }: AccountProbe,
  { database, limits }: ProbeDependencies,
): Promise<ProbeAllowance> {
  const { isMember } = await readAddress({ organizationId, email }, database);
  return isMember
    ? uncounted
    : countAddress({ counter: `look-ups:${organizationId}`, email }, limits);
}

/** Counts a request whose status, 200 or 404, reveals whether an address has an account. */
export async function countLookupOrThrow(
  probe: AccountProbe,
  dependencies: ProbeDependencies,
): Promise<void> {
  requireAllowed(await countLookup(probe, dependencies));
}

/**
 * Counts a request that creates an account if there is none. New accounts do not count, so that an
 * organization can add any number of people; existing accounts do. Above the limit the request is
 * refused for every address, because a refusal of existing accounts alone would reveal them.
 */
export async function countExistingAccount(
  { organizationId, email }: AccountProbe,
  { database, limits }: ProbeDependencies,
): Promise<void> {
  const { isMember, hasAccount } = await readAddress({ organizationId, email }, database);
  if (isMember) return;
  const counter = `existing-accounts:${organizationId}`;
  if (hasAccount) return requireAllowed(await countAddress({ counter, email }, limits));
  const { remaining, retryAfterSeconds } = await limits.peek(
    counter,
    probesPerHourMax,
    hourSeconds,
  );
  requireAllowed({ isAllowed: remaining > 0, retryAfterSeconds });
}

async function countAddress(
  { counter, email }: { counter: string; email: string },
  limits: RateLimits,
): Promise<ProbeAllowance> {
  const addressAllowance = await limits.peek(`${counter}:${email}`, 1, hourSeconds);
  if (addressAllowance.remaining === 0) return uncounted;
  // The organization's counter comes first: otherwise a refused address would be accepted the next
  // time, as one that has been counted.
  const { exceeded, retryAfterSeconds } = await limits.consume(
    counter,
    probesPerHourMax,
    hourSeconds,
  );
  if (exceeded) return { isAllowed: false, retryAfterSeconds };
  const { exceeded: isRepeated } = await limits.consume(`${counter}:${email}`, 1, hourSeconds);
  if (isRepeated) await limits.refund(counter, hourSeconds);
  return uncounted;
}

function requireAllowed({ isAllowed, retryAfterSeconds }: ProbeAllowance): void {
  if (isAllowed) return;
  const message = `An organization can ask about ${probesPerHourMax} addresses an hour that are not its members'; try again in ${retryAfterSeconds} s`;
  throw new AppError('RATE_LIMITED', message, undefined, retryAfterSeconds);
}

async function readAddress(
  { organizationId, email }: AccountProbe,
  { unscoped }: Database,
): Promise<{ isMember: boolean; hasAccount: boolean }> {
  // Without the tenant scope: accounts that the organization cannot see count as well.
  const [address] = await unscoped.sql<{ isMember: boolean; hasAccount: boolean }>`
    select exists (select from users u where u.email = ${email}) as "hasAccount",
      exists (select from users u join memberships m on m.user_id = u.id where u.email = ${email} and m.organization_id = ${organizationId}) as "isMember"`;
  return address ?? { isMember: false, hasAccount: false };
}
