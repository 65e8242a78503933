import type { ItemRefusal } from '../../platform/bulk.ts';
import type { Database } from '../../platform/database/database.ts';
import { anyOf } from '../../platform/database/sql.ts';
import { type AppError, rateLimited } from '../../platform/errors.ts';
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
  const [address] = await readAddresses({ organizationId, emails: [email] }, database);
  return address?.isMember
    ? uncounted
    : countAddress({ counter: `look-ups:${organizationId}`, email }, limits);
}

/** Counts a request whose status, 200 or 404, reveals whether an address has an account. */
export async function countLookupOrThrow(
  probe: AccountProbe,
  dependencies: ProbeDependencies,
): Promise<void> {
  const allowance = await countLookup(probe, dependencies);
  if (!allowance.isAllowed) throw tooManyProbes(allowance);
}

/**
 * Counts addresses for which a request creates an account if there is none, and returns the
 * refusals in their order. New accounts do not count, so that an organization can add any number of
 * people; existing accounts do. Above the limit every address is refused, because a refusal of
 * existing accounts alone would reveal them.
 */
export async function countExistingAccounts(
  { organizationId, emails }: { organizationId: string; emails: readonly string[] },
  { database, limits }: ProbeDependencies,
): Promise<ItemRefusal[]> {
  const counter = `existing-accounts:${organizationId}`;
  const addresses = await readAddresses({ organizationId, emails }, database);
  let newAccounts: Promise<ProbeAllowance> | undefined;
  const refusals: ItemRefusal[] = [];
  for (const { email, isMember, hasAccount } of addresses) {
    if (isMember) {
      refusals.push(null);
      continue;
    }
    if (hasAccount) newAccounts = undefined;
    else newAccounts ??= peekAllowance(counter, limits);
    const allowance = await (newAccounts ?? countAddress({ counter, email }, limits));
    refusals.push(allowance.isAllowed ? null : tooManyProbes(allowance));
  }
  return refusals;
}

async function peekAllowance(counter: string, limits: RateLimits): Promise<ProbeAllowance> {
  const { remaining, retryAfterSeconds } = await limits.peek(
    counter,
    probesPerHourMax,
    hourSeconds,
  );
  return { isAllowed: remaining > 0, retryAfterSeconds };
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

function tooManyProbes({ retryAfterSeconds }: ProbeAllowance): AppError {
  const message = `An organization can ask about ${probesPerHourMax} addresses an hour that are not its members'; try again in ${retryAfterSeconds} s`;
  return rateLimited(message, retryAfterSeconds);
}

type AddressStatus = { email: string; isMember: boolean; hasAccount: boolean };

/** Reads addresses in their order. */
async function readAddresses(
  { organizationId, emails }: { organizationId: string; emails: readonly string[] },
  { unscoped }: Database,
): Promise<AddressStatus[]> {
  // Without the tenant scope: accounts that the organization cannot see count as well.
  const accounts = await unscoped.sql<{ email: string; isMember: boolean }>`
    select u.email, exists (select from memberships m where m.user_id = u.id and m.organization_id = ${organizationId}) as "isMember"
    from users u where u.email ${anyOf(emails)}`;
  const byEmail = new Map(accounts.map((account) => [account.email, account]));
  return emails.map((email) => {
    const account = byEmail.get(email);
    return { email, isMember: account?.isMember === true, hasAccount: account !== undefined };
  });
}
