import { memberOf } from '../../access/scopes.ts';
import { watchAccess } from '../../access/watch-access.ts';
import { builder } from '../../graph/schema/builder.ts';
import { integer, verbatim } from '../../graph/schema/input-rules.ts';
import type { RestForm } from '../../graph/schema/rest-form.ts';
import { InputFault } from '../../platform/input-fault.ts';
import { eventFeed } from '../organizations/features.ts';
import { awaitEvents } from './await-events.ts';
import type { EventData, EventReference, OrganizationEvent } from './event.ts';
import './event-services.ts';
import {
  type EventType as EventTypeName,
  eventTypeMeanings,
  eventTypes,
  publicNameOf,
} from './event-types.ts';
import { eventDays, type FeedPage } from './read-feed.ts';

export const EventType = builder.enumType('EventType', {
  description: 'What an event is about. New kinds of events add new values.',
  values: Object.fromEntries(
    eventTypes.map((type) => [type, { description: eventTypeMeanings[type] }]),
  ) as Record<EventTypeName, { description: string }>,
});

const EventReferenceType = builder.objectRef<EventReference>('EventReference').implement({
  description: 'A resource that an event concerns besides its own.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'What it is to the event, such as `campaignId` or `userId`.',
    }),
    id: t.exposeID('id', { description: 'The id of the resource, also if it no longer exists.' }),
  }),
});

const EventDataType = builder.objectRef<EventData>('EventData').implement({
  description: 'The changed resource: identifiers and names of fields, without their content.',
  fields: (t) => ({
    resourceType: t.exposeString('resourceType', {
      description:
        'The kind of resource, such as `Campaign`. New kinds of resources add new values.',
    }),
    resourceId: t.exposeID('resourceId', {
      description: 'The id of the resource, also if it no longer exists.',
    }),
    references: t.field({
      type: [EventReferenceType],
      description: 'The other resources that the event concerns.',
      cost: { listSize: { assumedSize: 2 } },
      resolve: ({ references }) => references,
    }),
    changedFields: t.exposeStringList('changedFields', {
      description: 'The names of the fields that the change has set.',
    }),
  }),
});

export const OrganizationEventType = builder
  .objectRef<OrganizationEvent>('OrganizationEvent')
  .implement({
    description: 'Something that has happened in the organization.',
    fields: (t) => ({
      id: t.exposeID('id', {
        description: 'The id of the event, an opaque string that never changes.',
      }),
      type: t.expose('type', { type: EventType, description: 'What has happened.' }),
      timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When it happened.' }),
      data: t.expose('data', { type: EventDataType, description: 'What it happened to.' }),
    }),
  });

const EventFeedType = builder.objectRef<FeedPage>('EventFeed').implement({
  description: 'The next events of an organization.',
  fields: (t) => ({
    events: t.field({
      type: [OrganizationEventType],
      description: 'The events, in the order in which they are read.',
      cost: { listSize: { assumedSize: 100 } },
      resolve: ({ events }) => events,
    }),
    next: t.exposeString('next', { description: 'The value of `after` for the next call.' }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether more events can be read now.' }),
  }),
});

const typesByName = new Map(eventTypes.map((type) => [publicNameOf(type), type]));
const anyName = [...typesByName.keys()].map((name) => name.replace('.', '\\.')).join('|');

/** REST separates the types with commas. */
export const restEventTypes: RestForm = {
  parse: (value) =>
    String(value)
      .split(',')
      .map((name) => {
        const type = typesByName.get(name.trim());
        if (type === undefined)
          throw new InputFault(
            'UNKNOWN_VALUE',
            'must have types of events, such as campaign.created, separated by commas',
          );
        return type;
      }),
  jsonSchema: { type: 'string', pattern: `^(${anyName})(,(${anyName}))*$` },
};

builder.queryField('events', (t) =>
  t.field({
    type: EventFeedType,
    description: `The events of the organization after a cursor. Events are kept for ${eventDays} days.`,
    args: {
      after: t.arg({
        type: 'String',
        rule: verbatim({ max: 200 }),
        required: false,
        description:
          'The `next` of an earlier answer; without it, the feed begins with the oldest event.',
      }),
      types: t.arg({
        type: [EventType],
        required: false,
        extensions: { restForm: restEventTypes },
        description: 'Only events of these types.',
      }),
      limit: t.arg({
        type: 'Int',
        rule: integer({ min: 1, max: 1_000 }),
        defaultValue: 100,
        description: 'How many events the answer has at most, 1 to 1,000.',
      }),
      wait: t.arg({
        type: 'Int',
        rule: integer({ min: 0, max: 25 }),
        defaultValue: 0,
        description:
          'Seconds to wait if there is no event. The answer comes with the first event, otherwise when the time is over.',
      }),
    },
    cost: { listSize: { slicingArguments: ['limit'], sizedFields: ['events'], assumedSize: 100 } },
    authScopes: { manages: eventFeed },
    resolve: async (_, { wait, ...args }, context) => {
      const access = watchAccess(context, { manages: eventFeed });
      try {
        return await awaitEvents(
          {
            ...args,
            organizationId: memberOf(context.viewer).organizationId,
            seconds: wait,
          },
          { ...context, notices: context.events.notices, signal: access.signal },
        );
      } finally {
        access.stop();
      }
    },
  }),
);
