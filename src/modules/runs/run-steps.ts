import type { FinishReason, LanguageModelUsage } from 'ai';
import type { Passages } from './passages.ts';
import type { AnswerMessage } from './run-result.ts';

/** The tokens of one step; 0 if the provider does not count them. */
export type StepUsage = {
  promptTokens: number;
  completionTokens: number;
  /** Tokens of the prompt that the provider had in its cache. They are part of `promptTokens`. */
  cachedTokens: number;
};

/** What a provider has counted for the embeddings of the queries of a step. */
export type EmbeddingUsage = { model: string; tokens: number };

export const stepUsageOf = ({
  inputTokens = 0,
  outputTokens = 0,
  inputTokenDetails,
}: Partial<LanguageModelUsage>): StepUsage => ({
  promptTokens: inputTokens,
  completionTokens: outputTokens,
  cachedTokens: inputTokenDetails?.cacheReadTokens ?? 0,
});

/** A step is one call of the model with the tool calls that it requested. */
export type FinishedStep = {
  /** From 1. */
  number: number;
  startedAt: Date;
  endedAt: Date;
  usage: StepUsage;
  embedding?: EmbeddingUsage | undefined;
  /** The messages of the step: that of the model, and the results of its tools. */
  messages: AnswerMessage[];
  /** Whether the model requested tools, so that another step may follow. */
  requestsTools: boolean;
  /** Why the model ended the step. Some providers say `stop` although they request tools. */
  finishReason: FinishReason;
};

/** What an interrupted run had reached: another process continues after its last finished step. */
export type ResumedSteps = {
  /** The passages that the model has seen. */
  passages: Passages;
  fence: string;
  steps: readonly Pick<FinishedStep, 'usage' | 'messages' | 'requestsTools' | 'finishReason'>[];
};

/** Observes the steps of one run while it is executed. */
export type StepObserver = {
  /** Called before the model is. An error refuses the step and ends the run. */
  beforeStep(step: { number: number }): Promise<void>;
  /** Called after the tools have answered, before the next step. An error ends the run. */
  stepEnded(step: FinishedStep): Promise<void>;
};
