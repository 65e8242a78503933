import { fragment } from '../../../platform/database/sql.ts';
import { type PricingColumns, pricingColumns } from './pricing.ts';

/** A campaign as its partner sees it. */
export type Campaign = PricingColumns & {
  id: string;
  name: string;
  durationMonths: number;
  maxRedemptions: number | null;
  expiresAt: string | null;
  includedSeats: number | null;
  allowedEmailDomains: string[];
  allowedEmails: string[];
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
  completedRedemptionsCount: number;
  reservedRedemptionsCount: number;
};

/**
 * The columns of `campaigns c`. An expired reservation does not count, even if its row still
 * exists. Most campaigns have no reservations; for those the subquery is skipped.
 */
export const campaignColumns = (at: Date) => fragment`
  c.id, c.name, c.duration_months as "durationMonths", c.max_redemptions as "maxRedemptions", c.expires_at as "expiresAt",
  c.included_seats as "includedSeats", c.allowed_email_domains as "allowedEmailDomains", c.allowed_emails as "allowedEmails",
  ${pricingColumns(fragment`c`)}, c.is_active as "isActive", c.created_at as "createdAt", c.updated_at as "updatedAt",
  c.completed_redemptions as "completedRedemptionsCount",
  case when c.reserved_redemptions = 0 then 0 else
    (select count(*)::int from reservations where campaign_id = c.id and expires_at > ${at}) end as "reservedRedemptionsCount"`;
