import type { Feature } from './documents.ts';

export type FeatureText = { feature: Feature; label: string; hint: string };

/** What can be switched on, in words. */
export const featureTexts: readonly FeatureText[] = [
  {
    feature: 'assistantFiles',
    label: 'Assistant files',
    hint: 'Assistants answer from documents that people upload.',
  },
  {
    feature: 'userManagement',
    label: 'User Management API',
    hint: 'Programs add, list and remove users and teams with an organization key.',
  },
  {
    feature: 'partnerSponsorship',
    label: 'Partner sponsorship',
    hint: 'The organization sponsors workspaces of others by links.',
  },
  {
    feature: 'partnerSponsorshipApi',
    label: 'Partner Sponsorship API',
    hint: 'Programs do the same with an organization key.',
  },
];
