import {
  generateText,
  type LanguageModel,
  type Tool as SdkTool,
  type StepResult,
  tool as sdkTool,
  streamText,
  type TextStreamPart,
  type ToolSet,
} from 'ai';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { extractiveModelName } from './extractive/extractive-model.ts';
import { createFence, fencePassages } from './fence.ts';
import { toPublicError } from './models/provider-error.ts';
import { type FoundPassage, Passages } from './passages.ts';
import { instructionsFor, promptFor } from './prompt.ts';
import { runLimits } from './run-limits.ts';
import type { RunEvent, RunMessage, RunResult } from './run-result.ts';
import { type Tool, ToolError } from './tool.ts';
import { Transcript } from './transcript.ts';

// Stops the SDK from writing warnings about the abilities of a provider to the console.
globalThis.AI_SDK_LOG_WARNINGS = false;

export type RunModelInput = {
  assistant: { instructions: string; temperature: number | null; stepLimit: number };
  messages: readonly RunMessage[];
  /** Passages of the files that were sent with this run. */
  sentPassages: readonly FoundPassage[];
  model: { name: string; languageModel: LanguageModel };
  /** The tenant in the queue of the built-in model: organizations take turns. */
  organizationId?: string | undefined;
  /** The maximum number of tokens that the model may write in all steps together. */
  outputTokensMax?: number | undefined;
};

export type RunModelDependencies = {
  tools: readonly Tool[];
  search: (query: string, signal: AbortSignal) => Promise<FoundPassage[]>;
  clock: Clock;
  log: Log;
  /** After this many tokens the model gets no more tools and must answer. */
  tokenBudget: number;
  signal: AbortSignal;
  emit?: ((event: RunEvent) => void) | undefined;
};

const foundPassagesNote = 'These passages of the assistant’s files were found.';
const nothingFoundNote = 'Nothing in the assistant’s files fits this query.';

/**
 * Runs a model for as many steps as the assistant allows. It gets no tools in the last step, so
 * that the run ends with an answer.
 */
export async function runModel(
  {
    assistant,
    messages,
    sentPassages,
    model,
    organizationId,
    outputTokensMax = Number.POSITIVE_INFINITY,
  }: RunModelInput,
  { tools, search, clock, log, tokenBudget, signal, emit }: RunModelDependencies,
): Promise<RunResult> {
  const passages = new Passages();
  const fence = createFence();
  // An unexpected error in a tool ends the run; the SDK would show it to the model instead. A
  // caller who disconnects ends the run too.
  const runController = new AbortController();
  const cancel = () => runController.abort(new AppError('UNAVAILABLE', 'The run was cancelled'));
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const presentPassages = (foundPassages: readonly FoundPassage[]) =>
    foundPassages.length === 0
      ? nothingFoundNote
      : fencePassages(
          foundPassages.map((passage) => passages.add(passage)),
          { fence, about: foundPassagesNote },
        );
  const context = {
    clock,
    present: presentPassages,
    search: (query: string) => search(query, runController.signal),
  };
  const runTool = async (tool: Tool, input: unknown) => {
    try {
      return await tool.run(input, context);
    } catch (error) {
      if (!(error instanceof ToolError)) runController.abort(error);
      throw error;
    }
  };

  const outputTokensLeft = (steps: readonly StepResult<ToolSet>[]) =>
    outputTokensMax - sum(steps.map(({ usage }) => usage.outputTokens ?? 0));
  const numbered = sentPassages.map((passage) => passages.add(passage));
  const options = {
    model: model.languageModel,
    instructions: instructionsFor(assistant.instructions),
    messages: promptFor({ messages, sentPassages: numbered, fence }),
    tools: Object.fromEntries(
      tools.map((tool): [string, SdkTool] => [tool.name, toSdkTool(tool, runTool)]),
    ),
    toolCallConcurrency: 4,
    ...(assistant.temperature !== null && { temperature: assistant.temperature }),
    ...(organizationId !== undefined && {
      providerOptions: { [extractiveModelName]: { owner: organizationId } },
    }),
    stopWhen: ({ steps }: { steps: readonly StepResult<ToolSet>[] }) =>
      steps.length >= assistant.stepLimit || outputTokensLeft(steps) <= 0,
    prepareStep: ({
      steps,
      stepNumber,
    }: {
      steps: readonly StepResult<ToolSet>[];
      stepNumber: number;
    }) => {
      const usedTokens = sum(
        steps.map(({ usage }) => (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)),
      );
      const mustAnswer = stepNumber + 1 >= assistant.stepLimit || usedTokens >= tokenBudget;
      return {
        maxOutputTokens: Math.min(runLimits.outputTokensPerStep, outputTokensLeft(steps)),
        ...(mustAnswer && { activeTools: [] }),
      };
    },
    abortSignal: runController.signal,
    // The provider's fetch limits the time and retries (models/provider-fetch.ts).
    maxRetries: 0,
  };

  const transcript = new Transcript(passages, emit);
  try {
    // Without a listener a complete answer is used: it costs a third of the CPU time of a streamed
    // one.
    if (emit) await followStream(streamText({ ...options, onError: () => {} }).stream, transcript);
    else for (const step of (await generateText(options)).steps) await transcript.recordStep(step);
  } catch (error) {
    throw runController.signal.aborted ? runController.signal.reason : toPublicError(error, log);
  }
  if (runController.signal.aborted) throw runController.signal.reason;
  const result = transcript.result(model.name, outputTokensMax);
  // A caller who limits the tokens may get an empty answer: the model may have spent all of them on
  // reasoning or tool calls.
  const mayBeEmpty = result.finishReason === 'LENGTH' && Number.isFinite(outputTokensMax);
  if (result.text.trim() === '' && !mayBeEmpty)
    throw new AppError('PROVIDER_FAILED', 'The model gave no answer');
  return result;
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

async function followStream(
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  transcript: Transcript,
): Promise<void> {
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    await transcript.record(part);
  }
}

const toSdkTool = (tool: Tool, run: (tool: Tool, input: unknown) => Promise<string>): SdkTool =>
  sdkTool({
    description: tool.description,
    inputSchema: tool.inputSchema,
    execute: (input: unknown) => run(tool, input),
  });
