import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/errors.ts';
import type { StatementScope } from './statement-entry.ts';
import { monthAt, monthOf } from './statement-month.ts';

export type StatementMonthInput = { organizationId: string; month: string };
export type StatementDependencies = { database: Pick<Database, 'sql'>; clock: Clock };

/** Statements exist from the month of the first redemption to the current month. */
export async function requireStatementMonth(
  { organizationId, month: name }: StatementMonthInput,
  { database, clock }: StatementDependencies,
): Promise<StatementScope> {
  const [month, now] = [monthOf(name), clock()];
  const [first] = await database.sql<{ redeemedAt: string | null }>`
    select min(redeemed_at) as "redeemedAt" from redemptions where organization_id = ${organizationId}`;
  if (
    first?.redeemedAt == null ||
    month.start < monthAt(new Date(first.redeemedAt)).start ||
    month.start > now
  )
    throw notFound('Statement');
  return { organizationId, month, now };
}
