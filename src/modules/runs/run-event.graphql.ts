import { builder } from '../../graph/schema/builder.ts';
import { ToolOutput, toolCallId, toolInput, toolName } from './run-message.graphql.ts';
import { RunResultType } from './run-result.graphql.ts';
import type { StreamedEvent } from './stream-run.ts';

/** An event of a durable run has a number. */
type EventOf<Type extends StreamedEvent['type']> = Extract<StreamedEvent, { type: Type }> & {
  sequence?: number;
};

export const sequenceDescription =
  'The number of the event in a durable run, from 1; null in `assistantRun`.';

const TextEvent = builder.objectRef<EventOf<'text'>>('TextEvent').implement({
  description: 'The next part of the answer.',
  fields: (t) => ({
    sequence: t.exposeInt('sequence', { nullable: true, description: sequenceDescription }),
    text: t.exposeString('text', { description: 'Text to append to the answer so far.' }),
  }),
});
const ReasoningEvent = builder.objectRef<EventOf<'reasoning'>>('ReasoningEvent').implement({
  description: 'The next part of the model’s reasoning.',
  fields: (t) => ({
    sequence: t.exposeInt('sequence', { nullable: true, description: sequenceDescription }),
    text: t.exposeString('text', { description: 'Text to append to the reasoning so far.' }),
  }),
});
const ToolCallEvent = builder.objectRef<EventOf<'tool-call'>>('ToolCallEvent').implement({
  description: 'The model calls a tool.',
  fields: (t) => ({
    sequence: t.exposeInt('sequence', { nullable: true, description: sequenceDescription }),
    toolCallId: t.exposeString('toolCallId', { description: toolCallId }),
    toolName: t.exposeString('toolName', { description: toolName }),
    input: t.expose('input', { type: 'JSON', nullable: true, description: toolInput }),
  }),
});
const ToolResultEvent = builder.objectRef<EventOf<'tool-result'>>('ToolResultEvent').implement({
  description: 'A tool has returned a result.',
  fields: (t) => ({
    sequence: t.exposeInt('sequence', { nullable: true, description: sequenceDescription }),
    toolCallId: t.exposeString('toolCallId', {
      description: 'The id of the call that this is the result of.',
    }),
    toolName: t.exposeString('toolName', { description: toolName }),
    output: t.expose('output', { type: ToolOutput, description: 'What the tool returned.' }),
  }),
});
const DoneEvent = builder.objectRef<EventOf<'done'>>('DoneEvent').implement({
  description: 'The run has ended.',
  fields: (t) => ({
    sequence: t.exposeInt('sequence', { nullable: true, description: sequenceDescription }),
    result: t.expose('result', {
      type: RunResultType,
      description: 'The complete answer, as runAssistant returns it.',
    }),
  }),
});

export const eventTypes = {
  text: TextEvent,
  reasoning: ReasoningEvent,
  'tool-call': ToolCallEvent,
  'tool-result': ToolResultEvent,
  done: DoneEvent,
};

export const AssistantRunEvent = builder.unionType('AssistantRunEvent', {
  description: 'An event of a running run.',
  types: Object.values(eventTypes),
  resolveType: ({ type }) => eventTypes[type],
});
