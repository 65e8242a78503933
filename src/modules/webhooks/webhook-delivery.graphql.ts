import { memberOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../graph/schema/connection.ts';
import { addNodeSource, Node } from '../../graph/schema/node.ts';
import { WebhookDeliveryState } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import { EventType } from '../events/event.graphql.ts';
import { eventFeed } from '../organizations/features.ts';
import { listWebhookDeliveries } from './list-webhooks.ts';
import { readWebhookDeliveries } from './read-webhooks.ts';
import { type WebhookDelivery as DeliveryRow, testType } from './webhook-delivery.ts';
import { messageOf } from './webhook-message.ts';

builder.enumType(WebhookDeliveryState, {
  name: 'WebhookDeliveryState',
  description: 'The progress of a delivery.',
  values: {
    PENDING: { description: 'It waits for its first or next try, or is being tried.' },
    DELIVERED: { description: 'The receiver answered with a status of 200 to 299.' },
    FAILED: { description: 'All tries failed, or the endpoint was disabled.' },
  },
});

export const WebhookDelivery = builder.objectRef<DeliveryRow>('WebhookDelivery').implement({
  interfaces: [Node],
  description: 'An event on its way to a webhook endpoint. It is kept for 30 days after its end.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the delivery, an opaque string that never changes.',
    }),
    endpointId: t.exposeID('endpointId', { description: 'The id of the endpoint.' }),
    eventId: t.exposeID('eventId', {
      description: 'The id of the event, which the receiver gets as `webhook-id`.',
    }),
    eventType: t.expose('eventType', {
      type: EventType,
      nullable: true,
      description: 'The type of the event; null for a test.',
    }),
    state: t.expose('state', {
      type: WebhookDeliveryState,
      description: 'The progress of the delivery.',
    }),
    tries: t.exposeInt('tries', {
      description: 'The number of tries, including the one in progress; at most ten.',
    }),
    nextTryAt: t.expose('nextTryAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The earliest time of the next try; null once it has ended.',
    }),
    lastStatus: t.exposeInt('lastStatus', {
      nullable: true,
      description: 'The status that the receiver answered last; null if it did not answer.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'Why the last try failed, for people; null after a success.',
    }),
    lastAnswer: t.exposeString('lastAnswer', {
      nullable: true,
      description:
        'The beginning of the text that the receiver answered last, at most 1,024 bytes; null if it did not answer.',
    }),
    body: t.string({
      description: 'The body that the receiver gets, in the encoding of the endpoint.',
      resolve: (delivery) =>
        messageOf({ ...delivery, eventType: delivery.eventType ?? testType }).body,
    }),
    lastTriedAt: t.expose('lastTriedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last try ended; null before the first one.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the delivery was queued.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it succeeded or was given up; null while it is pending.',
    }),
  }),
});

addNodeSource('WebhookDelivery', {
  scopes: { manages: eventFeed },
  table: fragment`webhook_deliveries`,
  load: (ids, { viewer, database }) =>
    readWebhookDeliveries({ organizationId: memberOf(viewer).organizationId, ids }, { database }),
});

const WebhookDeliveryConnection = connectionType('WebhookDelivery', WebhookDelivery);
const WebhookDeliveryOrder = orderType('WebhookDeliveryOrder', {
  CREATED_AT: 'When the delivery was queued.',
});

builder.queryField('webhookDeliveries', (t) =>
  t.field({
    type: WebhookDeliveryConnection,
    description: 'The deliveries to a webhook endpoint, newest first.',
    args: {
      endpointId: t.arg({ type: 'ID', description: 'The id of the endpoint.' }),
      ...connectionArgs(),
      state: t.arg({
        type: WebhookDeliveryState,
        required: false,
        description: 'Only deliveries in this state.',
      }),
      orderBy: t.arg({
        type: WebhookDeliveryOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(100),
    authScopes: { manages: eventFeed },
    resolve: (_, args, context, info) =>
      listWebhookDeliveries(
        { ...args, organizationId: memberOf(context.viewer).organizationId },
        pageRequest(args, info, 100),
        context,
      ),
  }),
);
