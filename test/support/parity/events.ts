import { newWebhookSecret } from '../../../src/modules/webhooks/webhook-secret.ts';
import { settleEvents } from '../settle-events.ts';
import type { OrganizationFixture, ParityApp } from './fixtures.ts';
import { samplesOn } from './samples.ts';

const endpoints = '/api/events/v1/endpoints';
const url = 'https://hooks.example.com/atrium';
const endpointIdOf = ({ slug }: OrganizationFixture) => `endpoint-${slug}`;
const deliveryIdOf = ({ slug }: OrganizationFixture) => `delivery-${slug}`;

/** An organization with an endpoint, and a delivery that failed. */
async function withEndpoint(fixture: OrganizationFixture, { database, contextParts }: ParityApp) {
  const { id: organizationId, names } = fixture;
  const at = contextParts.clock();
  const id = endpointIdOf(fixture);
  const encryptedSecret = await contextParts.webhooks.cipher.encrypt(newWebhookSecret());
  await database.prisma.webhookEndpoint.create({
    data: {
      ...{ id, organizationId, url, description: 'Directory', types: ['TEAM_CREATED'] },
      ...{ encryptedSecret, createdAt: at, updatedAt: at },
      deliveries: {
        create: {
          ...{ id: deliveryIdOf(fixture), eventId: 'event', eventType: 'TEAM_CREATED' },
          ...{ eventAt: at, resourceKey: 'Team:team', data: {}, state: 'FAILED', tries: 10 },
          ...{ nextTryAt: at, lastStatus: 500, lastError: 'The receiver answered 500.' },
          lastAnswer: 'The disk is full.',
          ...{ lastTriedAt: at, endedAt: at, createdAt: at },
        },
      },
    },
  });
  Object.assign(names, { [id]: 'endpoint', [deliveryIdOf(fixture)]: 'delivery' });
}
const disabled = async (fixture: OrganizationFixture, app: ParityApp) => {
  await withEndpoint(fixture, app);
  await app.database.sql`
    update webhook_endpoints set state = 'DISABLED', disabled_reason = 'GONE' where id = ${endpointIdOf(fixture)}`;
};
const endpoint = (more: Record<string, unknown> = {}) => ({
  prepare: withEndpoint,
  input: (fixture: OrganizationFixture) => ({ endpointId: endpointIdOf(fixture), ...more }),
});
const unknown = (more: Record<string, unknown> = {}) => ({
  code: 'NOT_FOUND' as const,
  input: () => ({ endpointId: 'unknown', ...more }),
});
const conflict = { code: 'CONFLICT' as const, prepare: disabled };
const range = { from: '2026-05-01T00:00:00.000Z', until: '2026-05-05T00:00:00.000Z' };

export const eventSamples = samplesOn(
  ({ organization }) => organization(),
  [
    {
      call: 'GET /api/events/v1/events',
      prepare: (_, { database }) => settleEvents(database),
      input: () => ({ types: 'campaign.created,link.created,redemption.completed', limit: 10 }),
      refusals: [{ code: 'BAD_INPUT', input: () => ({ after: 'of-another-list' }) }],
    },
    {
      call: `GET ${endpoints}`,
      prepare: withEndpoint,
      input: () => ({ page: 1, pageSize: 10 }),
      refusals: [{ code: 'BAD_INPUT', input: () => ({ pageSize: 101 }) }],
    },
    {
      call: `POST ${endpoints}`,
      input: () => ({ url, description: 'Directory', types: ['team.created', 'team.deleted'] }),
      refusals: [{ code: 'BAD_INPUT', input: () => ({ url: 'https://10.0.0.1/' }) }],
    },
    {
      call: `GET ${endpoints}/:endpointId`,
      ...endpoint(),
      refusals: [unknown()],
    },
    {
      call: `PATCH ${endpoints}/:endpointId`,
      ...endpoint({ description: 'Copy of the directory', encoding: 'CLOUD_EVENTS' }),
      refusals: [
        unknown({ description: 'New' }),
        {
          code: 'BAD_INPUT',
          input: (fixture) => ({ endpointId: endpointIdOf(fixture), url: 'ftp://example.com/' }),
        },
      ],
    },
    {
      call: `PATCH ${endpoints}/:endpointId`,
      title: 'without a change',
      ...endpoint(),
    },
    {
      call: `DELETE ${endpoints}/:endpointId`,
      ...endpoint(),
      refusals: [unknown()],
    },
    {
      call: `POST ${endpoints}/:endpointId/rotate`,
      ...endpoint({ overlapHours: 24 }),
      refusals: [unknown({ overlapHours: 0 })],
    },
    {
      call: `POST ${endpoints}/:endpointId/test`,
      ...endpoint(),
      refusals: [unknown(), conflict],
    },
    {
      call: `POST ${endpoints}/:endpointId/replay`,
      ...endpoint({ ...range, onlyFailed: true }),
      refusals: [
        unknown(range),
        conflict,
        {
          code: 'BAD_INPUT',
          input: (fixture) => ({
            endpointId: endpointIdOf(fixture),
            ...{ from: range.until, until: range.from },
          }),
        },
      ],
    },
    {
      call: `GET ${endpoints}/:endpointId/deliveries`,
      ...endpoint({ page: 1, pageSize: 10, state: 'FAILED' }),
      refusals: [unknown()],
    },
    {
      call: 'POST /api/events/v1/deliveries/:deliveryId/retry',
      prepare: withEndpoint,
      input: (fixture) => ({ deliveryId: deliveryIdOf(fixture) }),
      refusals: [{ code: 'NOT_FOUND', input: () => ({ deliveryId: 'unknown' }) }, conflict],
    },
  ],
);
