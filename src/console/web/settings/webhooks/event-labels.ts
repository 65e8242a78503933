import type { EventType, WebhookFieldsFragment } from './documents.ts';

/** What the events are about; an endpoint chooses among these. */
export const eventGroups: Record<string, readonly EventType[]> = {
  Campaigns: ['CAMPAIGN_CREATED', 'CAMPAIGN_UPDATED'],
  Links: ['LINK_CREATED', 'LINK_UPDATED'],
  Redemptions: [
    'REDEMPTION_COMPLETED',
    'REDEMPTION_EXTENDED',
    'REDEMPTION_BILLING_CHANGED',
    'REDEMPTION_ENDING_SOON',
    'REDEMPTION_ENDED',
  ],
  Users: ['USER_CREATED', 'USER_ADDED', 'USER_REMOVED'],
  Teams: ['TEAM_CREATED', 'TEAM_RENAMED', 'TEAM_DELETED', 'TEAM_USER_ADDED', 'TEAM_USER_REMOVED'],
  Keys: ['KEY_CREATED', 'KEY_EXPIRING', 'KEY_REVOKED'],
  Files: ['FILE_COMPLETED', 'FILE_FAILED', 'FILE_DELETED'],
  Runs: ['RUN_COMPLETED', 'RUN_FAILED', 'RUN_CANCELLED'],
  Budgets: ['BUDGET_WARNED', 'BUDGET_EXHAUSTED'],
};

export const groupNames: readonly string[] = Object.keys(eventGroups);

/** The name of a type as receivers read it: `team.created`. */
export const publicName = (type: EventType | null): string =>
  type === null ? 'webhook.test' : type.toLowerCase().replace('_', '.');

/** The events that an endpoint gets, in words. Types of a group that is not complete are named. */
export function eventsOf({ types }: Pick<WebhookFieldsFragment, 'types'>): string {
  if (types.length === 0) return 'All events';
  const names = Object.entries(eventGroups).flatMap(([group, members]) => {
    const chosen = members.filter((type) => types.includes(type));
    return chosen.length === members.length ? [group] : chosen.map(publicName);
  });
  return names.join(', ');
}

export const endpointStates = {
  ACTIVE: { tone: 'good', label: 'Active' },
  FAILING: { tone: 'bad', label: 'Failing' },
  DISABLED: { tone: 'plain', label: 'Disabled' },
} as const;

export const disabledReasons = {
  REQUESTED: 'An administrator has disabled it.',
  GONE: 'The receiver answered 410, which says that it wants no more events.',
  UNREACHABLE: 'Nothing could be delivered for about three days.',
} as const;

export const deliveryStates = {
  PENDING: { tone: 'busy', label: 'Waiting' },
  DELIVERED: { tone: 'good', label: 'Delivered' },
  FAILED: { tone: 'bad', label: 'Failed' },
} as const;
