import type { BillingStatus } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import { changeRows, type Writer } from '../audit/record-change.ts';
import { countOf, lockedRedemptions, requireAll } from './lock-redemptions.ts';

export type Billing = {
  billingStatus: BillingStatus;
  billingAmount?: number | null | undefined;
  billingBatchId?: string | null | undefined;
};

const held = fragment`r.billing_status as status, r.billing_amount as amount, r.billing_batch_id as batch_id, r.billed_at`;

type SetRedemptionsBilling = Billing & { redemptionIds: readonly string[] };

/**
 * Moves redemptions to any billing status, all or none of them. An amount or batch that is left out
 * stays; entering BILLED sets the date, staying there keeps it; UNBILLED has neither date nor
 * batch. Every change is kept in the history. One statement for five hundred as for one.
 */
export async function setRedemptionsBilling(
  asked: SetRedemptionsBilling,
  writer: Writer,
): Promise<void> {
  const {
    redemptionIds,
    billingStatus: status,
    billingAmount = null,
    billingBatchId = null,
  } = asked;
  const { organizationId, keyId, userId } = writer.actor;
  if (redemptionIds.length === 0) return;
  await changeRows<{ id: string }, void>(
    writer,
    (at) => ({
      before: fragment`held as (${lockedRedemptions({ organizationId, redemptionIds }, held)}),`,
      // What stays is taken from `held`, never from `r`: where somebody has just changed the row,
      // Postgres tries the table's conditions on `r` as it was before that, and only then finds the
      // newer one.
      statement: fragment`
        update redemptions r set
          billing_status = ${status}::billing_status,
          billing_amount = coalesce(${billingAmount}::numeric, held.amount),
          billing_batch_id = case when ${status === 'UNBILLED'} then null else coalesce(${billingBatchId}, held.batch_id) end,
          billed_at = case
            when ${status === 'UNBILLED'} then null
            when ${status === 'BILLED'} and held.status <> 'BILLED' then ${at}::timestamptz
            else held.billed_at end
        from held where r.id = held.id and (select count(*) from held) = ${countOf(redemptionIds)}
        returning r.id, held.status as "statusBefore", r.billing_amount as amount, r.billing_batch_id as "batchId"`,
      rowsMax: redemptionIds.length,
      entry: {
        ...{ action: 'set-redemption-billing', targetType: 'Redemption', targetId: fragment`id` },
        changes: fragment`jsonb_build_object('statusBefore', "statusBefore", 'status', ${status}::text, 'batchId', "batchId", 'amount', amount::float8)`,
      },
      after: fragment`, history as (
        insert into billing_changes (redemption_id, organization_id, at, status_before, status, amount, batch_id, actor_key_id, actor_user_id)
        select id, ${organizationId}, ${at}::timestamptz, "statusBefore", ${status}::billing_status, amount, "batchId", ${keyId}, ${userId}
        from changed order by id)`,
      answer: fragment`select id from held`,
    }),
    (found) => requireAll(redemptionIds, found),
  );
}
