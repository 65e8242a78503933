import type { BillingStatus } from '../../../platform/database/generated/client.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { changeRows, type Writer } from '../../audit/record-change.ts';
import { countDistinct, lockRedemptions, requireAllLocked } from './lock-redemptions.ts';

export type BillingInput = {
  billingStatus: BillingStatus;
  billingAmount?: number | null | undefined;
  billingBatchId?: string | null | undefined;
};

const lockedColumns = fragment`r.billing_status as status, r.billing_amount as amount, r.billing_batch_id as batch_id, r.billed_at`;

type SetRedemptionsBillingInput = BillingInput & { redemptionIds: readonly string[] };

/**
 * Sets the billing status of redemptions; either all are changed or none. An omitted amount or
 * batch stays as it is. Changing to BILLED sets the date, and staying BILLED keeps it. UNBILLED
 * clears the date and the batch. Every change adds an entry to the billing history. One statement
 * changes up to 500 redemptions.
 */
export async function setRedemptionsBilling(
  {
    redemptionIds,
    billingStatus: status,
    billingAmount = null,
    billingBatchId = null,
  }: SetRedemptionsBillingInput,
  writer: Writer,
): Promise<void> {
  const { organizationId, keyId, userId } = writer.actor;
  if (redemptionIds.length === 0) return;
  await changeRows<{ id: string }, void>(
    writer,
    (at) => ({
      before: fragment`locked as (${lockRedemptions({ organizationId, redemptionIds }, lockedColumns)}),`,
      // Values that stay are read from `locked`, never from `r`: after a concurrent change Postgres
      // first checks the table's constraints with the old version of `r`, and only then fetches the
      // newer one.
      statement: fragment`
        update redemptions r set
          billing_status = ${status}::billing_status,
          billing_amount = coalesce(${billingAmount}::numeric, locked.amount),
          billing_batch_id = case when ${status === 'UNBILLED'} then null else coalesce(${billingBatchId}, locked.batch_id) end,
          billed_at = case
            when ${status === 'UNBILLED'} then null
            when ${status === 'BILLED'} and locked.status <> 'BILLED' then ${at}::timestamptz
            else locked.billed_at end
        from locked where r.id = locked.id and (select count(*) from locked) = ${countDistinct(redemptionIds)}
        returning r.id, locked.status as "statusBefore", r.billing_amount as amount, r.billing_batch_id as "batchId"`,
      rowsMax: redemptionIds.length,
      entry: {
        ...{ action: 'set-redemption-billing', targetType: 'Redemption', targetId: fragment`id` },
        changes: fragment`jsonb_build_object('statusBefore', "statusBefore", 'status', ${status}::text, 'batchId', "batchId", 'amount', amount::float8)`,
      },
      after: fragment`, history as (
        insert into billing_changes (redemption_id, organization_id, at, status_before, status, amount, batch_id, actor_key_id, actor_user_id)
        select id, ${organizationId}, ${at}::timestamptz, "statusBefore", ${status}::billing_status, amount, "batchId", ${keyId}, ${userId}
        from changed order by id)`,
      answer: fragment`select id from locked`,
    }),
    (lockedRows) => requireAllLocked(redemptionIds, lockedRows),
  );
}
