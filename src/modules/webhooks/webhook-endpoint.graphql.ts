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
import {
  WebhookDisabledReason,
  WebhookEncoding,
  WebhookEndpointState,
} from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import { EventType } from '../events/event.graphql.ts';
import { eventFeed } from '../organizations/features.ts';
import { listWebhookEndpoints } from './list-webhooks.ts';
import { readPublicKey } from './read-public-key.ts';
import { readWebhookEndpoint, readWebhookEndpoints } from './read-webhooks.ts';
import type { WebhookEndpoint as EndpointRow } from './webhook-endpoint.ts';

builder.enumType(WebhookEndpointState, {
  name: 'WebhookEndpointState',
  description: 'Whether a webhook endpoint gets events.',
  values: {
    ACTIVE: { description: 'It gets events.' },
    FAILING: { description: 'It gets events, but none could be delivered for five minutes.' },
    DISABLED: { description: 'It gets no events until it is activated.' },
  },
});
builder.enumType(WebhookDisabledReason, {
  name: 'WebhookDisabledReason',
  description: 'Why a webhook endpoint is disabled.',
  values: {
    REQUESTED: { description: 'An administrator or an API key disabled it.' },
    GONE: { description: 'The receiver answered 410.' },
    UNREACHABLE: {
      description: 'All tries of a delivery failed, and no other delivery succeeded.',
    },
  },
});
builder.enumType(WebhookEncoding, {
  name: 'WebhookEncoding',
  description: 'The form of the bodies that a webhook endpoint gets.',
  values: {
    STANDARD: { description: 'An event as the feed has it, as Standard Webhooks 1.0 recommends.' },
    CLOUD_EVENTS: { description: 'CloudEvents 1.0 in the structured mode.' },
  },
});

export const WebhookEndpoint = builder.objectRef<EndpointRow>('WebhookEndpoint').implement({
  interfaces: [Node],
  description: 'An address to which events are sent.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the endpoint, an opaque string that never changes.',
    }),
    url: t.exposeString('url', { description: 'The address to which events are posted.' }),
    description: t.exposeString('description', {
      description: 'A text for people, at most 500 characters.',
    }),
    types: t.expose('types', {
      type: [EventType],
      description: 'The types of events that the endpoint gets; an empty list means all.',
    }),
    encoding: t.expose('encoding', {
      type: WebhookEncoding,
      description: 'The form of the bodies.',
    }),
    state: t.expose('state', {
      type: WebhookEndpointState,
      description: 'Whether it gets events.',
    }),
    disabledReason: t.expose('disabledReason', {
      type: WebhookDisabledReason,
      nullable: true,
      description: 'Why the endpoint is disabled; null in the other states.',
    }),
    isActive: t.boolean({
      description: 'Whether it gets events: false only in the state DISABLED.',
      resolve: ({ state }) => state !== 'DISABLED',
    }),
    isReplaying: t.exposeBoolean('isReplaying', {
      description: 'Whether events of a replay are still being queued.',
    }),
    publicKey: t.string({
      nullable: true,
      description:
        'The Ed25519 key, beginning with `whpk_`, with which a receiver checks the signatures `v1a`. It changes with the secret; null if the secret has to be rotated because it can no longer be read.',
      resolve: ({ encryptedSecret }, _, { webhooks }) => readPublicKey(encryptedSecret, webhooks),
    }),
    previousSecretUntil: t.expose('previousSecretUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time until which the previous secret also signs; null if only the current secret signs.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the endpoint was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When its settings, its state or its secret last changed.',
    }),
  }),
});

addNodeSource('WebhookEndpoint', {
  scopes: { manages: eventFeed },
  table: fragment`webhook_endpoints`,
  load: (ids, context) =>
    readWebhookEndpoints({ organizationId: memberOf(context.viewer).organizationId, ids }, context),
});

const WebhookEndpointConnection = connectionType('WebhookEndpoint', WebhookEndpoint);
const WebhookEndpointOrder = orderType('WebhookEndpointOrder', {
  CREATED_AT: 'When the endpoint was created.',
});

builder.queryFields((t) => ({
  webhookEndpoints: t.field({
    type: WebhookEndpointConnection,
    description: 'The webhook endpoints of the organization, newest first.',
    args: {
      ...connectionArgs(),
      orderBy: t.arg({
        type: WebhookEndpointOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(100),
    authScopes: { manages: eventFeed },
    resolve: (_, args, context, info) =>
      listWebhookEndpoints(
        { ...args, organizationId: memberOf(context.viewer).organizationId },
        pageRequest(args, info, 100),
        context,
      ),
  }),
  webhookEndpoint: t.field({
    type: WebhookEndpoint,
    description: 'A webhook endpoint of the organization.',
    args: { endpointId: t.arg({ type: 'ID', description: 'The id of the endpoint.' }) },
    authScopes: { manages: eventFeed },
    resolve: (_, { endpointId }, context) =>
      readWebhookEndpoint(
        { organizationId: memberOf(context.viewer).organizationId, endpointId },
        context,
      ),
  }),
}));
