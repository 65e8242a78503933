import type { BillingStatus } from '../../../platform/database/generated/client.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { type PricingColumns, pricingColumns } from '../campaigns/pricing.ts';

/** A completed redemption as its partner sees it. */
export type Redemption = PricingColumns & {
  id: string;
  redeemedAt: string;
  sponsoredUntil: string;
  extendedUntil: string | null;
  extensionReason: string | null;
  durationMonths: number;
  includedSeats: number | null;
  billingStatus: BillingStatus;
  billingAmount: number | null;
  billedAt: string | null;
  billingBatchId: string | null;
  organizationName: string;
  userEmail: string;
  linkName: string;
  linkToken: string;
  campaignName: string;
  campaignId: string;
  linkId: string;
  sponsoredOrganizationId: string;
};

/** The fields that most lists show. */
export const briefRedemption: ReadonlySet<string> = new Set([
  ...[
    'id',
    'redeemedAt',
    'sponsoredUntil',
    'extendedUntil',
    'extensionReason',
    'includedSeats',
    'pricing',
  ],
  ...[
    'billingStatus',
    'billingAmount',
    'billedAt',
    'billingBatchId',
    'organizationName',
    'userEmail',
    'linkName',
  ],
]);

/** The columns for the fields of `briefRedemption`; they need one of the two joins below. */
export const briefRedemptionColumns = fragment`
  r.id, r.redeemed_at as "redeemedAt", r.sponsored_until as "sponsoredUntil", r.extended_until as "extendedUntil",
  r.extension_reason as "extensionReason", r.included_seats as "includedSeats", ${pricingColumns(fragment`r`)},
  r.billing_status as "billingStatus", r.billing_amount::float8 as "billingAmount", r.billed_at as "billedAt", r.billing_batch_id as "billingBatchId",
  o.name as "organizationName", coalesce(r.user_email, u.email) as "userEmail", l.name as "linkName"`;

export const redemptionColumns = fragment`
  ${briefRedemptionColumns}, r.duration_months as "durationMonths", l.token as "linkToken", c.name as "campaignName",
  r.campaign_id as "campaignId", r.link_id as "linkId", r.sponsored_organization_id as "sponsoredOrganizationId"`;

/**
 * Joins for a page whose length Postgres knows: it chooses between a look-up for each row and a
 * scan of a small table.
 */
export const redemptionJoins = fragment`
  left join links l on l.id = r.link_id
  left join users u on u.id = r.user_id
  left join organizations o on o.id = r.sponsored_organization_id`;

/**
 * The same joins as one look-up for each row, which `limit 1` enforces: a prepared plan
 * overestimates the number of rows and would scan whole tables instead.
 */
export const redemptionLookups = fragment`
  left join lateral (select name, token from links where id = r.link_id limit 1) l on true
  left join lateral (select email from users where id = r.user_id limit 1) u on true
  left join lateral (select name from organizations where id = r.sponsored_organization_id limit 1) o on true`;
