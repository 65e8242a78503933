import type { ProductArea } from '../../access/scope-map.ts';

/** All features that platform support can switch on for an organization. */
export const features = [
  'assistantFiles',
  'audit',
  'events',
  'partnerSponsorship',
  'partnerSponsorshipApi',
  'userManagement',
  'userRoles',
] as const;
type Feature = (typeof features)[number];

/** The names that the features have in the graph. */
const namesInGraph = {
  assistantFiles: 'ASSISTANT_FILES',
  audit: 'AUDIT',
  events: 'EVENTS',
  partnerSponsorship: 'PARTNER_SPONSORSHIP',
  partnerSponsorshipApi: 'PARTNER_SPONSORSHIP_API',
  userManagement: 'USER_MANAGEMENT',
  userRoles: 'USER_ROLES',
} as const satisfies Record<Feature, string>;
export type FeatureName = (typeof namesInGraph)[Feature];

/** The names in the graph of the features of an organization, in the order of `features`. */
export const namesOfFeatures = (enabled: Iterable<string>): FeatureName[] => {
  const names: ReadonlySet<string> = new Set(enabled);
  return features.filter((feature) => names.has(feature)).map((feature) => namesInGraph[feature]);
};

/** The features with these names in the graph. */
export const featuresNamed = (names: readonly FeatureName[]): Feature[] =>
  features.filter((feature) => names.includes(namesInGraph[feature]));

/** Administrators can always manage users in the console; the feature is needed for API keys. */
export const userManagement: ProductArea = {
  name: 'The User Management API',
  keyFeatures: ['userManagement'],
  sessionFeatures: [],
};

/**
 * The roles of users. A key that can make administrators can do everything that they can, so it
 * needs a feature of its own.
 */
export const userRoles: ProductArea = {
  name: 'Changing roles with API keys',
  keyFeatures: ['userManagement', 'userRoles'],
  sessionFeatures: [],
};

/** Usage and its costs are part of every organization. */
export const usageReports: ProductArea = {
  name: 'The Usage API',
  keyFeatures: [],
  sessionFeatures: [],
};

/** Administrators always see the audit log; the feature is needed for API keys. */
export const auditLog: ProductArea = {
  name: 'The Audit API',
  keyFeatures: ['audit'],
  sessionFeatures: [],
};

/** The event feed. */
export const eventFeed: ProductArea = {
  name: 'The Events API',
  keyFeatures: ['events'],
  sessionFeatures: ['events'],
};

export const assistantFiles: ProductArea = {
  name: 'Assistant Files',
  keyFeatures: ['assistantFiles'],
  sessionFeatures: ['assistantFiles'],
};

/** API keys need both features; for a signed-in person the first one is enough. */
export const sponsorship: ProductArea = {
  name: 'The Partner Sponsorship API',
  keyFeatures: ['partnerSponsorship', 'partnerSponsorshipApi'],
  sessionFeatures: ['partnerSponsorship'],
};
