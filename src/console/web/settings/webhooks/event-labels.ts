import type { PlainKey } from '../../texts/catalogue.ts';
import { t } from '../../texts/text.ts';
import type { EventType, WebhookFieldsFragment } from './documents.ts';

/** What the events are about; an endpoint chooses among these. */
export const eventGroups: readonly { label: PlainKey; types: readonly EventType[] }[] = [
  { label: 'webhooks.campaigns', types: ['CAMPAIGN_CREATED', 'CAMPAIGN_UPDATED'] },
  { label: 'webhooks.links', types: ['LINK_CREATED', 'LINK_UPDATED'] },
  {
    label: 'webhooks.redemptions',
    types: [
      'REDEMPTION_COMPLETED',
      'REDEMPTION_EXTENDED',
      'REDEMPTION_BILLING_CHANGED',
      'REDEMPTION_ENDING_SOON',
      'REDEMPTION_ENDED',
    ],
  },
  { label: 'webhooks.users', types: ['USER_CREATED', 'USER_ADDED', 'USER_REMOVED'] },
  {
    label: 'webhooks.teams',
    types: ['TEAM_CREATED', 'TEAM_RENAMED', 'TEAM_DELETED', 'TEAM_USER_ADDED', 'TEAM_USER_REMOVED'],
  },
  { label: 'webhooks.keys', types: ['KEY_CREATED', 'KEY_EXPIRING', 'KEY_REVOKED'] },
  { label: 'webhooks.files', types: ['FILE_COMPLETED', 'FILE_FAILED', 'FILE_DELETED'] },
  { label: 'webhooks.runs', types: ['RUN_COMPLETED', 'RUN_FAILED', 'RUN_CANCELLED'] },
  { label: 'webhooks.budgets', types: ['BUDGET_WARNED', 'BUDGET_EXHAUSTED'] },
];

/** The name of a type as receivers read it: `team.created`. */
export const publicName = (type: EventType | null): string =>
  type === null ? 'webhook.test' : type.toLowerCase().replace('_', '.');

/** The events that an endpoint gets, in words. Types of a group that is not complete are named. */
export function eventsOf({ types }: Pick<WebhookFieldsFragment, 'types'>): string {
  if (types.length === 0) return t('webhooks.allEvents');
  const names = eventGroups.flatMap(({ label, types: members }) => {
    const chosen = members.filter((type) => types.includes(type));
    return chosen.length === members.length ? [t(label)] : chosen.map(publicName);
  });
  return names.join(', ');
}

export const endpointStates = {
  ACTIVE: { tone: 'good', label: 'webhooks.active' },
  FAILING: { tone: 'bad', label: 'webhooks.failing' },
  DISABLED: { tone: 'plain', label: 'webhooks.disabled' },
} as const;

export const disabledReasons = {
  REQUESTED: 'webhooks.disabledByAdministrator',
  GONE: 'webhooks.disabledByReceiver',
  UNREACHABLE: 'webhooks.disabledUnreachable',
} as const;

export const deliveryStates = {
  PENDING: { tone: 'busy', label: 'webhooks.waiting' },
  DELIVERED: { tone: 'good', label: 'webhooks.delivered' },
  FAILED: { tone: 'bad', label: 'webhooks.failed' },
} as const;
