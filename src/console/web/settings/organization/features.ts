import type { Feature } from './documents.ts';

export type FeatureText = { feature: Feature; label: string; hint: string };

/** The features, with the texts that people see. */
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
    hint: 'The organization sponsors workspaces of others with links.',
  },
  {
    feature: 'partnerSponsorshipApi',
    label: 'Partner Sponsorship API',
    hint: 'Programs manage sponsorship with an organization key.',
  },
];
