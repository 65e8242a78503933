import type { BillingStatus } from '../../../platform/database/generated/client.ts';
import { type Fragment, fragment } from '../../../platform/database/sql.ts';
import { redemptionLookups } from '../redemptions/redemption.ts';
import type { Month } from './statement-month.ts';

export const entryKinds = ['BEGAN', 'EXTENDED', 'ENDED'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** Whose statement of which month, as of this time. */
export type StatementScope = { organizationId: string; month: Month; now: Date };

/** The position of an entry in the order of time. */
export type EntryPosition = { at: string; id: string };

/** The next entries of each kind: those after a position, at most `limit`. */
type NextEntries = { after: EntryPosition | undefined; limit: number };

/**
 * SQL for what happened to sponsorships in a month. A sponsorship that had ended before it was
 * extended has ended in the month of its earlier end, and stays there: the statement of a past
 * month does not change when a partner extends later. With `next` each part reads only as many rows
 * of its index as it may give.
 */
export const entriesOf = (
  { organizationId, month: { start, end }, now }: StatementScope,
  next?: NextEntries,
): Fragment => fragment`(
    (select 'BEGAN' as kind, redeemed_at as at, 'began-' || id as id, id as redemption_id,
      null::timestamptz as end_before, null::timestamptz as end_after
    from redemptions where organization_id = ${organizationId} and redeemed_at >= ${start} and redeemed_at < ${end}
    ${nextOf(fragment`redeemed_at`, fragment`'began-' || id`, next)})
    union all
    (select 'EXTENDED', at, 'extended-' || id, redemption_id, end_before, end_after
    from sponsorship_extensions where organization_id = ${organizationId} and at >= ${start} and at < ${end}
    ${nextOf(fragment`at`, fragment`'extended-' || id`, next)})
    union all
    (select 'ENDED', sponsored_until, ${endId(fragment`id`, fragment`sponsored_until`)}, id, null, null
    from redemptions where organization_id = ${organizationId} and sponsored_until >= ${start} and sponsored_until < ${end} and sponsored_until <= ${now}
    ${nextOf(fragment`sponsored_until`, endId(fragment`id`, fragment`sponsored_until`), next)})
    union all
    (select 'ENDED', end_before, ${endId(fragment`redemption_id`, fragment`end_before`)}, redemption_id, null, null
    from sponsorship_extensions where organization_id = ${organizationId} and end_before >= ${start} and end_before < ${end} and at >= end_before
    ${nextOf(fragment`end_before`, endId(fragment`redemption_id`, fragment`end_before`), next)}))`;

/**
 * The id of the entry of an end. The same end is first that of the redemption and, once the
 * sponsorship is extended, the earlier end of the extension; the id is the same for both.
 */
const endId = (redemptionId: Fragment, end: Fragment): Fragment =>
  fragment`'ended-' || ${redemptionId} || '-' || (extract(epoch from ${end}) * 1000)::bigint`;

/** The first comparison is for the index, whose order has no id. */
const nextOf = (at: Fragment, id: Fragment, next: NextEntries | undefined): Fragment => {
  if (!next) return fragment``;
  const { after, limit } = next;
  const condition = after
    ? fragment`and ${at} >= ${after.at}::timestamptz and (${at}, ${id}) > (${after.at}::timestamptz, ${after.id})`
    : fragment``;
  return fragment`${condition} order by ${at}, ${id} limit ${limit}`;
};

export type StatementEntry = {
  id: string;
  kind: EntryKind;
  at: string;
  endBefore: string | null;
  endAfter: string | null;
  isBillable: boolean;
  billingStatus: BillingStatus | null;
  billingAmount: number | null;
  billedAt: string | null;
  billingBatchId: string | null;
  redemptionId: string;
  organizationName: string;
  userEmail: string;
  campaignId: string;
  campaignName: string;
  linkName: string;
};

/**
 * The columns of an entry `e`, with the joins below. A redemption is billed once, so its billing
 * stands in the entry with which it began, and the amounts of all entries can be added up.
 */
export const entryColumns = fragment`
  e.id, e.kind, e.at, e.end_before as "endBefore", e.end_after as "endAfter",
  e.kind = 'BEGAN' and r.billing_status <> 'WAIVED' as "isBillable",
  case when e.kind = 'BEGAN' then r.billing_status end as "billingStatus", case when e.kind = 'BEGAN' then r.billing_amount::float8 end as "billingAmount",
  case when e.kind = 'BEGAN' then r.billed_at end as "billedAt", case when e.kind = 'BEGAN' then r.billing_batch_id end as "billingBatchId",
  e.redemption_id as "redemptionId", o.name as "organizationName", coalesce(r.user_email, u.email) as "userEmail",
  r.campaign_id as "campaignId", c.name as "campaignName", l.name as "linkName"`;

export const entryJoins = fragment`
  left join lateral (select * from redemptions where id = e.redemption_id limit 1) r on true
  left join lateral (select name from campaigns where id = r.campaign_id limit 1) c on true
  ${redemptionLookups}`;
