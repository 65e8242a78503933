import type { Database } from '../../../platform/database/database.ts';
import type { BillingStatus } from '../../../platform/database/generated/client.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { type Redemption, redemptionColumns, redemptionLookups } from './redemption.ts';

type ExportRedemptionsInput = {
  organizationId: string;
  campaignId: string;
  billingStatus?: BillingStatus | null | undefined;
  /** Aborted when the export ends early. */
  signal: AbortSignal;
};

/** How many redemptions one statement reads. */
export const exportBatchMax = 500;

/**
 * Reads all completed redemptions of a campaign, newest first, in batches. Each batch is a statement
 * of its own that begins after the last row of the one before, and is read when the reader asks for
 * it: a slow reader occupies no connection, and memory holds one batch. No row comes twice, also if
 * others are added in the meantime.
 */
export async function* exportRedemptions(
  { organizationId, campaignId, billingStatus, signal }: ExportRedemptionsInput,
  { database }: { database: Database },
): AsyncGenerator<Redemption[], void> {
  const matching = fragment`campaign_id = ${campaignId} and organization_id = ${organizationId}
    ${billingStatus ? fragment`and billing_status = ${billingStatus}::billing_status` : fragment``}`;
  let last: Redemption | undefined;
  do {
    signal.throwIfAborted();
    const afterLast = last
      ? fragment`and (redeemed_at, id) < (${last.redeemedAt}::timestamptz, ${last.id})`
      : fragment``;
    const rows = await database.sql<Redemption>`
      select ${redemptionColumns}
      from (select * from redemptions where ${matching} ${afterLast} order by redeemed_at desc, id desc limit ${exportBatchMax}) r
      ${redemptionLookups}
      left join lateral (select name from campaigns where id = r.campaign_id limit 1) c on true
      order by r.redeemed_at desc, r.id desc`;
    if (rows.length > 0) yield rows;
    last = rows.length < exportBatchMax ? undefined : rows.at(-1);
  } while (last);
}
