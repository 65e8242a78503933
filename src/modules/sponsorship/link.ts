import { fragment } from '../../platform/database/sql.ts';

/** A link as its partner sees it; its address is made of the token where it is told. */
export type Link = {
  id: string;
  campaignId: string;
  name: string;
  token: string;
  isActive: boolean;
  hasPassword: boolean;
  createdAt: string;
  completedRedemptionsCount: number;
};

/** What most lists show. */
export const briefLink: ReadonlySet<string> = new Set([
  'id',
  'name',
  'token',
  'url',
  'isActive',
  'hasPassword',
  'createdAt',
  'completedRedemptionsCount',
]);

/** What is read of `links l`: what `briefLink` is made of. */
export const briefLinkColumns = fragment`
  l.id, l.name, l.token, l.is_active as "isActive", l.password_hash is not null as "hasPassword",
  l.created_at as "createdAt", l.completed_redemptions as "completedRedemptionsCount"`;

export const linkColumns = fragment`${briefLinkColumns}, l.campaign_id as "campaignId"`;
