import { personOf } from '../../../access/scopes.ts';
import { watchAccess } from '../../../access/watch-access.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { ErrorCode } from '../../../graph/schema/error-catalogue.ts';
import { integer } from '../../../graph/schema/input-rules.ts';
import { eventTypes, sequenceDescription } from '../run-event.graphql.ts';
import './durable-runs.ts';
import { followEvents } from './follow-events.ts';
import { readEvents } from './read-events.ts';
import { readRun } from './read-run.ts';
import type { FailedEvent, StepEvent } from './run-event.ts';
import { RunState } from './run-state.graphql.ts';

type Sequenced<Event> = Event & { sequence?: number };

const StepEventType = builder.objectRef<Sequenced<StepEvent>>('StepEvent').implement({
  description:
    'A step of a durable run begins. If its number has come before, the step was interrupted: its events since then are void, and it begins anew.',
  fields: (t) => ({
    sequence: t.exposeInt('sequence', { nullable: true, description: sequenceDescription }),
    number: t.exposeInt('number', { description: 'The number of the step, from 1.' }),
    attempt: t.exposeInt('attempt', {
      description: 'How often the step has begun, from 1.',
    }),
  }),
});

const FailedEventType = builder.objectRef<Sequenced<FailedEvent>>('FailedEvent').implement({
  description: 'A durable run has ended without a result.',
  fields: (t) => ({
    sequence: t.exposeInt('sequence', { nullable: true, description: sequenceDescription }),
    state: t.expose('state', { type: RunState, description: 'FAILED, CANCELLED or EXPIRED.' }),
    code: t.expose('code', { type: ErrorCode, description: 'A constant of the table of errors.' }),
    message: t.exposeString('message', { description: 'A sentence for people.' }),
  }),
});

const durableEventTypes = { ...eventTypes, step: StepEventType, failed: FailedEventType };

const RunEventType = builder.unionType('RunEvent', {
  description: 'An event of a durable run.',
  types: Object.values(durableEventTypes),
  resolveType: ({ type }) => durableEventTypes[type],
});

const eventsPerAnswer = 20;
const sequenceRule = integer({ min: 0, max: 2_147_483_647 });
const runId = 'The id of a durable run that the caller has started.';
const after = 'Only the events after the one with this number.';

builder.queryField('runEvents', (t) =>
  t.field({
    type: [RunEventType],
    description:
      'The events of a durable run that are stored so far, at most 20 of them, oldest first.',
    args: {
      id: t.arg({ type: 'ID', description: runId }),
      after: t.arg({ type: 'Int', rule: sequenceRule, required: false, description: after }),
    },
    cost: { listSize: { assumedSize: eventsPerAnswer } },
    authScopes: { person: true },
    resolve: async (_, args, { viewer, database }) => {
      const request = { id: args.id, person: personOf(viewer), after: args.after ?? 0 };
      return (await readEvents(request, { database }, eventsPerAnswer)).events;
    },
  }),
);

builder.subscriptionField('runEvents', (t) =>
  t.field({
    type: RunEventType,
    description:
      'The events of a durable run, until it ends. A reader that was interrupted continues after the last number that it has seen, in any process.',
    args: {
      id: t.arg({ type: 'ID', description: runId }),
      after: t.arg({ type: 'Int', rule: sequenceRule, required: false, description: after }),
    },
    authScopes: { person: true },
    subscribe: async (_, args, context) => {
      const request = { id: args.id, person: personOf(context.viewer), after: args.after ?? 0 };
      // Refuses an unknown run before the stream begins.
      await readEvents(request, context);
      const access = watchAccess(context, { person: true }, () => readRun(request, context));
      return followEvents(request, {
        database: context.database,
        notices: context.durableRuns.notices,
        signal: access.signal,
        ended: access.stop,
      });
    },
    resolve: (event) => event,
  }),
);
