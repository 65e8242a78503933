import type { Area } from '../../graph/scopes.ts';

/** Everything that can be switched on for an organization. */
export const features = [
  'assistantFiles',
  'partnerSponsorship',
  'partnerSponsorshipApi',
  'userManagement',
] as const;

/** People manage their own organization's users anyway; the feature opens the same to programs. */
export const userManagement: Area = {
  name: 'The User Management API',
  keyFeatures: ['userManagement'],
  sessionFeatures: [],
};

export const assistantFiles: Area = {
  name: 'Assistant Files',
  keyFeatures: ['assistantFiles'],
  sessionFeatures: ['assistantFiles'],
};

/**
 * Programs need both features; a partner's people see the same on their dashboard with the first.
 */
export const sponsorship: Area = {
  name: 'The Partner Sponsorship API',
  keyFeatures: ['partnerSponsorship', 'partnerSponsorshipApi'],
  sessionFeatures: ['partnerSponsorship'],
};
