export * from '../de/branding.ts';
export * from '../de/campaigns.ts';
export * from '../de/inviting.ts';
export * from '../de/links.ts';
export * from '../de/redemptions.ts';
export * from '../de/sponsored.ts';
export * from '../de/sponsorship.ts';
export * from '../de/statements.ts';
