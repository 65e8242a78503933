import type { ApiFault } from '../../graph/fault.ts';
import type { AssistantPartInput, RunMessageInput, RunSubscription } from '../documents.ts';

export type RunEvent = RunSubscription['assistantRun'];
export type RunResult = Extract<RunEvent, { __typename: 'DoneEvent' }>['result'];
export type Citation = RunResult['citationDetails'][number];

type AnswerMessage = RunResult['messages'][number];
export type ToolOutput = Extract<RunEvent, { __typename: 'ToolResultEvent' }>['output'];

export type ToolStep = {
  type: 'tool';
  id: string;
  name: string;
  input: unknown;
  output?: ToolOutput;
};
export type TurnStep =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | ToolStep;

/** A question and the steps of its answer. */
export type ChatTurn = {
  id: string;
  question: string;
  /** The name of the attached file. */
  fileName?: string;
  steps: TurnStep[];
  state: 'running' | 'done' | 'stopped' | 'refused';
  fault?: ApiFault;
  result?: RunResult;
};

/**
 * The maximum length of the conversation that is sent with a question. Older turns are shown in the
 * page only.
 */
const sentCharactersMax = 300_000;

export const newTurn = (question: string, file: File | undefined): ChatTurn => ({
  id: crypto.randomUUID(),
  question,
  ...(file ? { fileName: file.name } : {}),
  steps: [],
  state: 'running',
});

export const applyEvents = (turn: ChatTurn, events: readonly RunEvent[]): ChatTurn =>
  events.reduce(applyEvent, turn);

function applyEvent(turn: ChatTurn, event: RunEvent): ChatTurn {
  switch (event.__typename) {
    case 'TextEvent':
      return { ...turn, steps: appendText(turn.steps, 'text', event.text) };
    case 'ReasoningEvent':
      return { ...turn, steps: appendText(turn.steps, 'reasoning', event.text) };
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

function appendText(
  steps: readonly TurnStep[],
  type: 'text' | 'reasoning',
  text: string,
): TurnStep[] {
  const last = steps.at(-1);
  return last?.type === type
    ? [...steps.slice(0, -1), { type, text: last.text + text }]
    : [...steps, { type, text }];
}

/** The messages of a run: the newest turns that fit, and the question at the end. */
export function messagesFor(turns: readonly ChatTurn[], question: string): RunMessageInput[] {
  let remainingCharacters = sentCharactersMax - question.length;
  const sentMessages: RunMessageInput[][] = [];
  for (const turn of turns.toReversed()) {
    const messages = messagesOf(turn);
    remainingCharacters -= JSON.stringify(messages).length;
    if (remainingCharacters < 0) break;
    sentMessages.unshift(messages);
  }
  return [...sentMessages.flat(), { user: [question] }];
}

function messagesOf(turn: ChatTurn): RunMessageInput[] {
  const question: RunMessageInput = { user: [turn.question] };
  if (turn.result) return [question, ...turn.result.messages.map(toInput)];
  const text = answerTextOf(turn);
  // A turn without an answer is left out: a model would read two user messages in a row as one.
  return text === '' ? [] : [question, { assistant: [{ text }] }];
}

function toInput({ role, content }: AnswerMessage): RunMessageInput {
  if (role === 'ASSISTANT') return { assistant: content.flatMap(toAssistantPart) };
  return {
    tool: content.flatMap((part) =>
      part.__typename === 'ToolResultPart'
        ? [{ ...idsOf(part), output: toOutputInput(part.output) }]
        : [],
    ),
  };
}

function toAssistantPart(part: AnswerMessage['content'][number]): AssistantPartInput[] {
  switch (part.__typename) {
    case 'TextPart':
      return [{ text: part.text }];
    case 'ReasoningPart':
      return [{ reasoning: part.text }];
    case 'ToolCallPart':
      return [{ toolCall: { ...idsOf(part), input: part.input } }];
    case 'ToolResultPart':
      return [];
  }
}

const idsOf = ({ toolCallId, toolName }: { toolCallId: string; toolName: string }) => ({
  toolCallId,
  toolName,
});

const toOutputInput = ({ type, value }: ToolOutput) =>
  type === 'TEXT' ? { text: value } : { errorText: value };

/** The text of an answer, without reasoning and tool calls. */
export const answerTextOf = ({ steps }: ChatTurn): string =>
  steps.flatMap((step) => (step.type === 'text' ? [step.text] : [])).join('\n\n');
