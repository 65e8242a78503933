import type { Context } from '../../access/context.ts';
import { integer, text, verbatim } from '../../graph/schema/input-rules.ts';
import { type InputBuilder, mutation, type PayloadBuilder } from '../../graph/schema/mutation.ts';
import { neverNull } from '../../graph/schema/presence.ts';
import type { RestForm } from '../../graph/schema/rest-form.ts';
import { WebhookEncoding } from '../../platform/database/generated/client.ts';
import { InputFault, parseItems } from '../../platform/input-fault.ts';
import { writerOf } from '../audit/record-change.ts';
import { EventType } from '../events/event.graphql.ts';
import { eventTypes, publicNameOf } from '../events/event-types.ts';
import { eventFeed } from '../organizations/features.ts';
import { createWebhookEndpoint } from './create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from './delete-webhook-endpoint.ts';
import { replayWebhooks } from './replay-webhooks.ts';
import { retryWebhookDelivery } from './retry-webhook-delivery.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { sendTestWebhook } from './send-test-webhook.ts';
import { updateWebhookEndpoint } from './update-webhook-endpoint.ts';
import { WebhookDelivery } from './webhook-delivery.graphql.ts';
import type { WebhookDelivery as DeliveryRow } from './webhook-delivery.ts';
import { WebhookEndpoint } from './webhook-endpoint.graphql.ts';
import type { WebhookEndpoint as EndpointRow } from './webhook-endpoint.ts';
import './webhook-services.ts';

const manages = { manages: eventFeed };
const urlRule = verbatim({ min: 1, max: 2_000 });
const descriptionRule = text({ min: 0, max: 500 });
const typesByName = new Map(eventTypes.map((type) => [publicNameOf(type), type]));

/** REST takes the public names of the types as a list. */
const restTypes: RestForm = {
  parse: (value) => {
    if (!Array.isArray(value))
      throw new InputFault(
        value === null ? 'NOT_NULLABLE' : 'WRONG_TYPE',
        value === null ? 'must be a list of types of events, not null' : 'must be a list',
      );
    return parseItems(value, (name, index) => {
      const type = typesByName.get(String(name));
      if (type === undefined)
        throw new InputFault(
          'UNKNOWN_VALUE',
          'must be a type of event, such as campaign.created',
          `[${index}]`,
        );
      return type;
    });
  },
  jsonSchema: { type: 'array', items: { type: 'string', enum: [...typesByName.keys()] } },
};

const endpointOf = (t: InputBuilder) => ({
  endpointId: t.field({ type: 'ID', description: 'The id of the endpoint.' }),
});
const settingsOf = (t: InputBuilder) => ({
  description: t.field({
    type: 'String',
    rule: descriptionRule,
    ...neverNull,
    description: 'A text for people, at most 500 characters.',
  }),
  types: t.field({
    type: [EventType],
    required: false,
    extensions: { ...neverNull.extensions, restForm: restTypes },
    description: 'The types of events that the endpoint gets; an empty list means all.',
  }),
  encoding: t.field({
    type: WebhookEncoding,
    ...neverNull,
    description: 'The form of the bodies.',
  }),
});
const endpointPayload = <P extends { endpoint: EndpointRow }>(t: PayloadBuilder<P>) => ({
  endpoint: t.field({
    type: WebhookEndpoint,
    description: 'The endpoint after the change, without its secret.',
    resolve: ({ endpoint }) => endpoint,
  }),
});
const secretPayload = <P extends { endpoint: EndpointRow; secret: string }>(
  t: PayloadBuilder<P>,
) => ({
  ...endpointPayload(t),
  secret: t.string({
    description: 'The secret that signs, beginning with `whsec_`. It cannot be read again.',
    resolve: ({ secret }) => secret,
  }),
});
const deliveryPayload = (t: PayloadBuilder<{ delivery: DeliveryRow }>) => ({
  delivery: t.expose('delivery', {
    type: WebhookDelivery,
    description: 'The delivery, with its tries so far.',
  }),
});

/** Runs a change, and then lets the process look for deliveries at once. */
async function thenDeliver<T>(context: Context, work: () => Promise<T>): Promise<T> {
  const result = await work();
  context.webhooks.wake();
  return result;
}
const writerWith = (context: Context) => ({ ...writerOf(context), webhooks: context.webhooks });

mutation('createWebhookEndpoint', {
  description: 'Creates an endpoint. It gets the events from now on.',
  authScopes: manages,
  input: (t) => ({
    url: t.field({
      type: 'String',
      rule: urlRule,
      description:
        'The address to which events are posted, at most 2,000 characters: https on a public host, at port 443 or above 1023.',
    }),
    ...settingsOf(t),
  }),
  resolve: (input, context) => createWebhookEndpoint(input, writerWith(context)),
  payload: secretPayload,
});

mutation('updateWebhookEndpoint', {
  description: 'Changes an endpoint. Omitted fields stay as they are.',
  authScopes: manages,
  input: (t) => ({
    ...endpointOf(t),
    url: t.field({
      type: 'String',
      rule: urlRule,
      ...neverNull,
      description:
        'The new address, at most 2,000 characters. What waits is tried there at once, with all its tries.',
    }),
    ...settingsOf(t),
    isActive: t.field({
      type: 'Boolean',
      ...neverNull,
      description:
        'False disables the endpoint and gives up its pending deliveries. True activates a disabled endpoint, which gets the events from now on.',
    }),
  }),
  resolve: (input, context) =>
    thenDeliver(context, async () => ({
      endpoint: await updateWebhookEndpoint(input, writerWith(context)),
    })),
  payload: endpointPayload,
});

mutation('deleteWebhookEndpoint', {
  description: 'Deletes an endpoint with its deliveries.',
  authScopes: manages,
  input: endpointOf,
  resolve: async ({ endpointId }, context) => {
    await deleteWebhookEndpoint({ endpointId }, writerOf(context));
    return { deletedEndpointId: endpointId };
  },
  payload: (t) => ({
    deletedEndpointId: t.exposeID('deletedEndpointId', {
      description: 'The id of the deleted endpoint.',
    }),
  }),
});

mutation('rotateWebhookSecret', {
  description: 'Makes a new secret for an endpoint. For some hours the previous one signs as well.',
  authScopes: manages,
  input: (t) => ({
    ...endpointOf(t),
    overlapHours: t.field({
      type: 'Int',
      defaultValue: 24,
      rule: integer({ min: 0, max: 168 }),
      description: 'The hours for which both secrets sign, 0 to 168.',
    }),
  }),
  resolve: (input, context) => rotateWebhookSecret(input, writerWith(context)),
  payload: secretPayload,
});

mutation('sendTestWebhook', {
  description: 'Sends an event of the type `webhook.test` to an endpoint.',
  authScopes: manages,
  input: endpointOf,
  resolve: (input, context) =>
    thenDeliver(context, async () => ({
      delivery: await sendTestWebhook(input, writerOf(context)),
    })),
  payload: deliveryPayload,
});

mutation('replayWebhooks', {
  description:
    'Sends the events of a period again, or only those that could not be delivered. Events are kept for 30 days.',
  authScopes: manages,
  input: (t) => ({
    ...endpointOf(t),
    from: t.field({ type: 'DateTime', description: 'The beginning of the period.' }),
    until: t.field({
      type: 'DateTime',
      ...neverNull,
      description: 'The end of the period, which is not part of it; by default now.',
    }),
    onlyFailed: t.field({
      type: 'Boolean',
      defaultValue: false,
      description: 'Only deliveries in the state FAILED.',
    }),
  }),
  resolve: (input, context) =>
    thenDeliver(context, async () => ({
      endpoint: await replayWebhooks(input, writerOf(context)),
    })),
  payload: endpointPayload,
});

mutation('retryWebhookDelivery', {
  description: 'Sends an event again now. A delivery that has ended gets all its tries again.',
  authScopes: manages,
  input: (t) => ({
    deliveryId: t.field({ type: 'ID', description: 'The id of the delivery.' }),
  }),
  resolve: (input, context) =>
    thenDeliver(context, async () => ({
      delivery: await retryWebhookDelivery(input, writerOf(context)),
    })),
  payload: deliveryPayload,
});
