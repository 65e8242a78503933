import { type Fragment, fragment } from '../../platform/database/sql.ts';

/** What a sponsored workspace costs the partner. Only platform support sets it. */
export type Pricing = { model: string; amountEur: number; unit: string };

/** The same in a row: three columns cost less than an object that Postgres puts together. */
export type Priced = { pricingModel: string | null; pricingAmountEur: number | null; pricingUnit: string | null };

export const pricingColumns = (of: Fragment) =>
  fragment`${of}.pricing_model as "pricingModel", ${of}.pricing_amount_eur::float8 as "pricingAmountEur", ${of}.pricing_unit as "pricingUnit"`;

export const pricingOf = ({ pricingModel, pricingAmountEur, pricingUnit }: Priced): Pricing | null =>
  pricingModel === null || pricingAmountEur === null || pricingUnit === null ? null : { model: pricingModel, amountEur: pricingAmountEur, unit: pricingUnit };

/** A campaign as its partner sees it. */
export type Campaign = Priced & {
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
 * What is read of `campaigns c`. A reservation past its time counts no more, whether or not its row is still there; most
 * campaigns hold none, and for those nothing is looked up.
 */
export const campaignColumns = (at: Date) => fragment`
  c.id, c.name, c.duration_months as "durationMonths", c.max_redemptions as "maxRedemptions", c.expires_at as "expiresAt",
  c.included_seats as "includedSeats", c.allowed_email_domains as "allowedEmailDomains", c.allowed_emails as "allowedEmails",
  ${pricingColumns(fragment`c`)}, c.is_active as "isActive", c.created_at as "createdAt", c.updated_at as "updatedAt",
  c.completed_redemptions as "completedRedemptionsCount",
  case when c.reserved_redemptions = 0 then 0 else
    (select count(*)::int from reservations where campaign_id = c.id and expires_at > ${at}) end as "reservedRedemptionsCount"`;
