import type { ApiFault } from '../../graph/fault.ts';
import type {
  AssistantPartInput,
  FeedbackFieldsFragment,
  RunEventsSubscription,
  RunMessageInput,
} from '../documents.ts';

export type RunEvent = RunEventsSubscription['runEvents'];
export type RunResult = Extract<RunEvent, { __typename: 'DoneEvent' }>['result'];
export type Citation = RunResult['citationDetails'][number];

export type AnswerMessage = RunResult['messages'][number];
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

export type TurnFile = { name: string; address?: string };

/** An answer with what is known of it: what was written so far, or the complete result. */
export type Answer = {
  steps: TurnStep[];
  state: 'running' | 'done' | 'stopped' | 'failed';
  fault?: ApiFault;
  result?: Pick<RunResult, 'model' | 'messages' | 'usage' | 'citationDetails'>;
};

/** A question and its answer. */
export type ChatTurn = Answer & {
  /** The id of the question, or a temporary one until it is stored. */
  id: string;
  /** The id of the answer; absent until it is stored. */
  answerId?: string;
  /** What the person thinks of the answer; absent until it is stored. */
  feedback?: FeedbackFieldsFragment | null;
  /** The answer before the question; null at the start of a conversation. */
  parentId: string | null;
  question: string;
  files: readonly TurnFile[];
  /** The run that answers; absent until it has started. */
  runId?: string;
  /** The questions that were asked at this place, of which this is one. */
  branches: readonly string[];
};

/**
 * The maximum length of the messages that are sent with a question when the organization keeps no
 * conversations. Older turns are shown in the page only.
 */
const sentCharactersMax = 300_000;

/** The steps of an answer, from the messages that its run wrote. */
export function stepsOf(messages: readonly AnswerMessage[]): TurnStep[] {
  return messages.flatMap(({ content }) => content).reduce<TurnStep[]>(appendPart, []);
}

function appendPart(
  steps: readonly TurnStep[],
  part: AnswerMessage['content'][number],
): TurnStep[] {
  switch (part.__typename) {
    case 'TextPart':
      return appendText(steps, 'text', part.text);
    case 'ReasoningPart':
      return appendText(steps, 'reasoning', part.text);
    case 'ToolCallPart':
      return appendCall(steps, part);
    case 'ToolResultPart':
      return withOutput(steps, part);
  }
}

/** Adds text to the last step, or begins a step of this type. */
export function appendText(
  steps: readonly TurnStep[],
  type: 'text' | 'reasoning',
  text: string,
): TurnStep[] {
  const last = steps.at(-1);
  return last?.type === type
    ? [...steps.slice(0, -1), { type, text: last.text + text }]
    : [...steps, { type, text }];
}

export const appendCall = (
  steps: readonly TurnStep[],
  { toolCallId, toolName, input }: { toolCallId: string; toolName: string; input: unknown },
): TurnStep[] => [...steps, { type: 'tool', id: toolCallId, name: toolName, input }];

export const withOutput = (
  steps: readonly TurnStep[],
  { toolCallId, output }: { toolCallId: string; output: ToolOutput },
): TurnStep[] =>
  steps.map((step) =>
    step.type === 'tool' && step.id === toolCallId ? { ...step, output } : step,
  );

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
export const answerTextOf = ({ steps }: Pick<Answer, 'steps'>): string =>
  steps.flatMap((step) => (step.type === 'text' ? [step.text] : [])).join('\n\n');
