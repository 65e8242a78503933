export * from '../en/branding.ts';
export * from '../en/campaigns.ts';
export * from '../en/inviting.ts';
export * from '../en/links.ts';
export * from '../en/redemptions.ts';
export * from '../en/sponsored.ts';
export * from '../en/sponsorship.ts';
export * from '../en/statements.ts';
