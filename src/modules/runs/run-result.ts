/** A message in the format that callers send. A list of messages is a conversation. */
export type RunMessage =
  | { role: 'system'; content: string | TextPart[] }
  | { role: 'user'; content: string | TextPart[] }
  | { role: 'assistant'; content: string | AssistantPart[] }
  | { role: 'tool'; content: string | ToolResultPart[] };

export type TextPart = { type: 'text'; text: string };
export type ReasoningPart = { type: 'reasoning'; text: string };
export type ToolCallPart = {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: unknown;
};
export type ToolResultPart = {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: ToolOutput;
};
export type ToolOutput =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'json' | 'error-json'; value: unknown };
export type AssistantPart = ReasoningPart | TextPart | ToolCallPart;

/** A message that a run returns. Its tools answer with texts only. */
export type AnswerMessage =
  | { role: 'assistant'; content: AssistantPart[] }
  | { role: 'tool'; content: AnswerToolResult[] };
export type AnswerToolOutput = Extract<ToolOutput, { value: string }>;
export type AnswerToolResult = ToolResultPart & { output: AnswerToolOutput };

/**
 * The source of a statement in the answer. `documentId` and `versionId` are null for a file that
 * was sent with the run.
 */
export type CitationDetail = {
  marker: number;
  documentId: string | null;
  versionId: string | null;
  isPreviousVersion: boolean;
  originalName: string;
  page: number | null;
  start: number;
  end: number;
  quote: string;
  score: number;
};

/** What a model has answered. */
export type ModelResult = {
  text: string;
  /** The value of a structured answer; absent if the run has no schema. */
  output?: unknown;
  model: string;
  messages: AnswerMessage[];
  usage: { promptTokens: number; completionTokens: number };
  citations: string[];
  citationDetails: CitationDetail[];
  /**
   * The answer is incomplete if the model reached its token limit (LENGTH), or if a filter of the
   * provider held back the rest (CONTENT_FILTER).
   */
  finishReason: 'STOP' | 'LENGTH' | 'CONTENT_FILTER';
  /** The message of the conversation that has the answer. */
  answerMessageId?: string;
};

export type RunResult = ModelResult & { runId: string };

/** An event of a running run. The texts of all events together equal the texts of its messages. */
export type RunEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | ({ type: 'tool-call' } & Omit<ToolCallPart, 'type'>)
  | ({ type: 'tool-result' } & Omit<AnswerToolResult, 'type'>);
