import { fragment } from '../../../platform/database/sql.ts';

/** A link as its partner sees it. The API builds the address from the token. */
export type Link = {
  id: string;
  campaignId: string;
  name: string;
  token: string;
  shortCode: string;
  isActive: boolean;
  hasPassword: boolean;
  createdAt: string;
  completedRedemptionsCount: number;
};

/** The fields that most lists show. */
export const briefLink: ReadonlySet<string> = new Set([
  'id',
  'name',
  'token',
  'url',
  'shortUrl',
  'isActive',
  'hasPassword',
  'createdAt',
  'completedRedemptionsCount',
]);

/** The columns of `links l` for the fields of `briefLink`. */
export const briefLinkColumns = fragment`
  l.id, l.name, l.token, l.short_code as "shortCode", l.is_active as "isActive", l.password_hash is not null as "hasPassword",
  l.created_at as "createdAt", l.completed_redemptions as "completedRedemptionsCount"`;

export const linkColumns = fragment`${briefLinkColumns}, l.campaign_id as "campaignId"`;
