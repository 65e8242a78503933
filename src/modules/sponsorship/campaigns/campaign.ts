import { fragment } from '../../../platform/database/sql.ts';
import { type PricingColumns, pricingColumns } from './pricing.ts';

/** The terms of a campaign, which its partner sets. */
export type CampaignTerms = {
  name: string;
  durationMonths: number;
  maxRedemptions: number | null;
  expiresAt: Date | null;
  includedSeats: number | null;
  allowedEmailDomains: string[];
  allowedEmails: string[];
  isActive: boolean;
};

/** A campaign as its partner sees it. */
export type Campaign = PricingColumns &
  Omit<CampaignTerms, 'expiresAt'> & {
    id: string;
    expiresAt: string | null;
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

type Optional<Terms> = { [Name in keyof Terms]?: Terms[Name] | null | undefined };
type NewTerms = Omit<CampaignTerms, 'isActive'>;

/** The terms of a new campaign, which is active. */
export type CreateCampaignInput = Pick<CampaignTerms, 'name' | 'durationMonths'> &
  Optional<Omit<NewTerms, 'name' | 'durationMonths'>>;

export const withDefaults = (terms: CreateCampaignInput): NewTerms => ({
  name: terms.name,
  durationMonths: terms.durationMonths,
  maxRedemptions: terms.maxRedemptions ?? null,
  expiresAt: terms.expiresAt ?? null,
  includedSeats: terms.includedSeats ?? null,
  allowedEmailDomains: terms.allowedEmailDomains ?? [],
  allowedEmails: terms.allowedEmails ?? [],
});

/** The columns of the terms in `insert`, and their values in the same order. */
export const termColumns = fragment`name, duration_months, max_redemptions, expires_at, included_seats, allowed_email_domains, allowed_emails`;
export const termValues = (terms: NewTerms) =>
  fragment`${terms.name}, ${terms.durationMonths}, ${terms.maxRedemptions}, ${terms.expiresAt}, ${terms.includedSeats}, ${terms.allowedEmailDomains}, ${terms.allowedEmails}`;

/** Undefined leaves a term as it is. Null clears the terms below, and leaves others as they are. */
export type TermChanges = Optional<CampaignTerms>;
export const clearableTerms: readonly string[] = ['maxRedemptions', 'expiresAt', 'includedSeats'];

/**
 * The assignments in `update`. The SQL text is the same for every combination of terms, so that one
 * prepared statement serves all of them.
 */
export const termAssignments = (terms: TermChanges) => fragment`
  name = coalesce(${terms.name ?? null}, name),
  duration_months = coalesce(${terms.durationMonths ?? null}, duration_months),
  is_active = coalesce(${terms.isActive ?? null}, is_active),
  allowed_email_domains = coalesce(${terms.allowedEmailDomains ?? null}::text[], allowed_email_domains),
  allowed_emails = coalesce(${terms.allowedEmails ?? null}::text[], allowed_emails),
  max_redemptions = case when ${terms.maxRedemptions === undefined} then max_redemptions else ${terms.maxRedemptions ?? null}::int end,
  expires_at = case when ${terms.expiresAt === undefined} then expires_at else ${terms.expiresAt ?? null}::timestamptz end,
  included_seats = case when ${terms.includedSeats === undefined} then included_seats else ${terms.includedSeats ?? null}::int end`;
