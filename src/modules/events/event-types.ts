/** The actions of the audit log that are events, by the type of the event. */
const actionsOfTypes = {
  CAMPAIGN_CREATED: ['create-campaign'],
  CAMPAIGN_UPDATED: ['update-campaign', 'set-campaign-pricing'],
  LINK_CREATED: ['create-link'],
  LINK_UPDATED: ['update-link', 'set-link-password'],
  REDEMPTION_COMPLETED: ['complete-redemption'],
  REDEMPTION_EXTENDED: ['extend-redemption'],
  REDEMPTION_BILLING_CHANGED: ['set-redemption-billing'],
  REDEMPTION_ENDING_SOON: ['announce-redemption-end'],
  REDEMPTION_ENDED: ['end-redemption'],
  USER_CREATED: ['create-user'],
  USER_ADDED: ['add-user', 'accept-invitation'],
  USER_REMOVED: ['remove-user', 'leave-organization', 'delete-account'],
  TEAM_CREATED: ['create-team'],
  TEAM_RENAMED: ['rename-team'],
  TEAM_DELETED: ['delete-team'],
  TEAM_USER_ADDED: ['add-team-user'],
  TEAM_USER_REMOVED: ['remove-team-user'],
  KEY_CREATED: ['create-user-key', 'create-organization-key'],
  KEY_EXPIRING: ['announce-key-expiry'],
  KEY_REVOKED: ['revoke-api-key'],
  FILE_COMPLETED: ['complete-file'],
  FILE_FAILED: ['fail-file'],
  FILE_DELETED: ['delete-file'],
  RUN_COMPLETED: ['complete-run'],
  RUN_FAILED: ['fail-run'],
  RUN_CANCELLED: ['cancel-run'],
  BUDGET_WARNED: ['warn-budget'],
  BUDGET_EXHAUSTED: ['exhaust-budget'],
} as const satisfies Record<string, readonly string[]>;

export type EventType = keyof typeof actionsOfTypes;

export const eventTypes = Object.keys(actionsOfTypes) as EventType[];

/** What integrators read of each type. */
export const eventTypeMeanings: Record<EventType, string> = {
  CAMPAIGN_CREATED: 'A campaign was created.',
  CAMPAIGN_UPDATED: 'The terms, the state or the pricing of a campaign changed.',
  LINK_CREATED: 'A link was created.',
  LINK_UPDATED: 'The name, the state or the password of a link changed.',
  REDEMPTION_COMPLETED: 'A person redeemed a link.',
  REDEMPTION_EXTENDED: 'A sponsorship was extended.',
  REDEMPTION_BILLING_CHANGED: 'The billing of a redemption was set.',
  REDEMPTION_ENDING_SOON: 'A sponsorship ends within 30 days.',
  REDEMPTION_ENDED: 'A sponsorship has ended.',
  USER_CREATED: 'A user was created, or a person with an account was added by the same call.',
  USER_ADDED: 'A person with an account was added, or accepted an invitation.',
  USER_REMOVED: 'A user was removed, has left, or has deleted the account.',
  TEAM_CREATED: 'A team was created.',
  TEAM_RENAMED: 'A team was renamed.',
  TEAM_DELETED: 'A team was deleted.',
  TEAM_USER_ADDED: 'A user was added to a team.',
  TEAM_USER_REMOVED: 'A user was removed from a team.',
  KEY_CREATED: 'An API key was created.',
  KEY_EXPIRING: 'An API key expires within 14 days.',
  KEY_REVOKED: 'An API key was revoked.',
  FILE_COMPLETED: 'A file was processed, and assistants answer from it.',
  FILE_FAILED: 'A file could not be processed.',
  FILE_DELETED: 'A file was deleted.',
  RUN_COMPLETED: 'A run has a result.',
  RUN_FAILED: 'A run has ended without a result.',
  RUN_CANCELLED: 'A run was cancelled.',
  BUDGET_WARNED: 'Of a budget 80 % are used.',
  BUDGET_EXHAUSTED: 'A budget is used up.',
};

const typesOfActions: ReadonlyMap<string, EventType> = new Map(
  eventTypes.flatMap((type) => actionsOfTypes[type].map((action) => [action, type] as const)),
);

export const typeOfAction = (action: string): EventType | undefined => typesOfActions.get(action);

export const actionsOf = (types: readonly EventType[]): string[] =>
  types.flatMap((type) => [...actionsOfTypes[type]]);

/** `REDEMPTION_ENDING_SOON` becomes `redemption.ending_soon`, as REST names the type. */
export const publicNameOf = (type: EventType): string => type.toLowerCase().replace('_', '.');
