import type { Area } from '../../graph/scopes.ts';

/** Everything that can be switched on for an organization. */
export const features = ['assistantFiles', 'partnerSponsorship', 'partnerSponsorshipApi', 'userManagement'] as const;

/** People manage their own organization's users anyway; the feature opens the same to programs. */
export const userManagement: Area = { name: 'The User Management API', keyFeatures: ['userManagement'], sessionFeatures: [] };
