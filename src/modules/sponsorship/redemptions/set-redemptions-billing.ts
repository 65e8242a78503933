import type { ItemRefusal } from '../../../platform/bulk.ts';
import type { BillingStatus } from '../../../platform/database/generated/client.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { notFound } from '../../../platform/errors.ts';
import { changeRows, type Writer } from '../../audit/record-change.ts';
import { lockRedemptions } from './lock-redemptions.ts';

export type RedemptionBilling = {
  redemptionId: string;
  billingStatus: BillingStatus;
  billingAmount?: number | null | undefined;
  billingBatchId?: string | null | undefined;
};
type SetRedemptionsBillingInput = {
  /** Each redemption once. */
  billings: readonly RedemptionBilling[];
  /** True: if one is refused, none is changed. */
  isAtomic: boolean;
};

const lockedColumns = fragment`r.billing_status as status_before, r.billing_amount as amount_before, r.billing_batch_id as batch_before, r.billed_at as billed_before`;

/**
 * Sets the billing status of redemptions; every status can follow every other one. An omitted
 * amount or batch stays as it is. Changing to BILLED sets the date, and staying BILLED keeps it.
 * UNBILLED clears the date and the batch. Every change adds an entry to the billing history. One
 * statement changes all of them. Returns the outcome of each, in their order.
 */
export async function setRedemptionsBilling(
  { billings, isAtomic }: SetRedemptionsBillingInput,
  writer: Writer,
): Promise<ItemRefusal[]> {
  if (billings.length === 0) return [];
  const { organizationId, keyId, userId } = writer.actor;
  const redemptionIds = billings.map(({ redemptionId }) => redemptionId);
  const isAccepted = isAtomic
    ? fragment`(select count(*) from locked) = ${billings.length}`
    : fragment`true`;
  const rows = await changeRows<{ id: string }, { id: string }[]>(
    writer,
    (at) => ({
      before: fragment`
        items as (
          select * from json_to_recordset(${JSON.stringify(billings)}::json)
            as item ("redemptionId" text, "billingStatus" billing_status, "billingAmount" numeric, "billingBatchId" text)),
        locked as (${lockRedemptions({ organizationId, redemptionIds }, lockedColumns)}),
        billed as (select * from locked join items on "redemptionId" = id),`,
      // Values that stay are read from `locked`, never from `r`: after a concurrent change Postgres
      // first checks the table's constraints with the old version of `r`, and only then fetches the
      // newer one.
      statement: fragment`
        update redemptions r set
          billing_status = "billingStatus",
          billing_amount = coalesce("billingAmount", amount_before),
          billing_batch_id = case when "billingStatus" = 'UNBILLED' then null else coalesce("billingBatchId", batch_before) end,
          billed_at = case
            when "billingStatus" = 'UNBILLED' then null
            when "billingStatus" = 'BILLED' and status_before <> 'BILLED' then ${at}::timestamptz
            else billed_before end
        from billed where r.id = billed.id and ${isAccepted}
        returning r.id, status_before as "statusBefore", r.billing_status as status, r.billing_amount as amount, r.billing_batch_id as "batchId"`,
      rowsMax: billings.length,
      entry: {
        ...{ action: 'set-redemption-billing', targetType: 'Redemption', targetId: fragment`id` },
        changes: fragment`jsonb_build_object('statusBefore', "statusBefore", 'status', status, 'batchId', "batchId", 'amount', amount::float8)`,
      },
      after: fragment`, history as (
        insert into billing_changes (redemption_id, organization_id, at, status_before, status, amount, batch_id, actor_key_id, actor_user_id)
        select id, ${organizationId}, ${at}::timestamptz, "statusBefore", status, amount, "batchId", ${keyId}, ${userId}
        from changed order by id)`,
      answer: fragment`select id from locked`,
    }),
    (locked) => locked,
  );
  const lockedIds = new Set(rows.map(({ id }) => id));
  return redemptionIds.map((id) => (lockedIds.has(id) ? null : notFound('Redemption')));
}
