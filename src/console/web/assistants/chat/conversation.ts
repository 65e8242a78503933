import type { Fault } from '../../graph/fault.ts';
import type { RunSubscription } from '../documents.ts';

export type RunEvent = RunSubscription['assistantRun'];
export type RunResult = Extract<RunEvent, { __typename: 'DoneEvent' }>['result'];
export type Citation = RunResult['citationDetails'][number];

export type ToolUse = { type: 'tool'; id: string; name: string; input: unknown; output?: unknown };
export type Step = { type: 'text'; text: string } | { type: 'reasoning'; text: string } | ToolUse;

/** A question and how it is answered, step by step. */
export type Turn = {
  id: string;
  question: string;
  /** A file that went with the question. */
  fileName?: string;
  steps: Step[];
  state: 'running' | 'done' | 'stopped' | 'refused';
  fault?: Fault;
  result?: RunResult;
};

/**
 * The most of a conversation that goes along with a question; what is older than that stays in the
 * page only.
 */
const sentCharactersMax = 300_000;

export const newTurn = (question: string, file: File | undefined): Turn => ({
  id: crypto.randomUUID(),
  question,
  ...(file ? { fileName: file.name } : {}),
  steps: [],
  state: 'running',
});

export const withEvents = (turn: Turn, events: readonly RunEvent[]): Turn =>
  events.reduce(withEvent, turn);

function withEvent(turn: Turn, event: RunEvent): Turn {
  switch (event.__typename) {
    case 'TextEvent':
      return { ...turn, steps: withWords(turn.steps, 'text', event.text) };
    case 'ReasoningEvent':
      return { ...turn, steps: withWords(turn.steps, 'reasoning', event.text) };
    case 'ToolCallEvent':
      return {
        ...turn,
        steps: [
          ...turn.steps,
          { type: 'tool', id: event.toolCallId, name: event.toolName, input: event.input },
        ],
      };
    case 'ToolResultEvent':
      return {
        ...turn,
        steps: turn.steps.map((step) =>
          step.type === 'tool' && step.id === event.toolCallId
            ? { ...step, output: event.output }
            : step,
        ),
      };
    case 'DoneEvent':
      return { ...turn, state: 'done', result: event.result };
  }
}

function withWords(steps: readonly Step[], type: 'text' | 'reasoning', text: string): Step[] {
  const last = steps.at(-1);
  return last?.type === type
    ? [...steps.slice(0, -1), { type, text: last.text + text }]
    : [...steps, { type, text }];
}

/** The conversation as a run takes it: the newest turns that fit, and the question at the end. */
export function messagesFor(turns: readonly Turn[], question: string): object[] {
  let left = sentCharactersMax - question.length;
  const sent: object[][] = [];
  for (const turn of turns.toReversed()) {
    const messages = messagesOf(turn);
    left -= JSON.stringify(messages).length;
    if (left < 0) break;
    sent.unshift(messages);
  }
  return [...sent.flat(), { role: 'user', content: question }];
}

function messagesOf({ question, result, steps }: Turn): object[] {
  const asked = { role: 'user', content: question };
  if (Array.isArray(result?.messages)) return [asked, ...result.messages];
  const said = steps.flatMap((step) => (step.type === 'text' ? [step.text] : [])).join('\n\n');
  // Nobody answered: to a model two questions in a row are one.
  return said === '' ? [] : [asked, { role: 'assistant', content: said }];
}

/** What was said, without what was thought and looked up. */
export const textOf = ({ steps }: Turn): string =>
  steps.flatMap((step) => (step.type === 'text' ? [step.text] : [])).join('\n\n');
