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
import { fenced, newFence } from './fence.ts';
import { faultOf } from './models/provider-fault.ts';
import { type FoundPassage, Passages } from './passages.ts';
import { instructionsFor, promptFor } from './prompt.ts';
import { runLimits } from './run-limits.ts';
import type { RunEvent, RunMessage, RunResult } from './run-result.ts';
import { type Tool, ToolFault } from './tool.ts';
import { Transcript } from './transcript.ts';

// The SDK would write what it thinks of a provider's abilities to the console.
globalThis.AI_SDK_LOG_WARNINGS = false;

export type Run = {
  assistant: { instructions: string; temperature: number | null; stepLimit: number };
  messages: readonly RunMessage[];
  /** Passages of the files that join this run only. */
  sent: readonly FoundPassage[];
  model: { name: string; languageModel: LanguageModel };
  /** Its runs take turns with those of others where the built-in model computes. */
  organizationId?: string | undefined;
  /** Tokens that the model may write in all steps together. */
  outputTokensMax?: number | undefined;
};

export type RunParts = {
  tools: readonly Tool[];
  search: (query: string, signal: AbortSignal) => Promise<FoundPassage[]>;
  clock: Clock;
  log: Log;
  /** Tokens after which the model gets no more tools and must answer. */
  tokenBudget: number;
  signal: AbortSignal;
  emit?: ((event: RunEvent) => void) | undefined;
};

const aboutFound = 'These passages of the assistant’s files were found.';
const nothingFound = 'Nothing in the assistant’s files fits this query.';

/**
 * Lets a model answer, in as many steps as the assistant allows. In the last one it has no tools,
 * so that a run ends with an answer.
 */
export async function runModel(
  {
    assistant,
    messages,
    sent,
    model,
    organizationId,
    outputTokensMax = Number.POSITIVE_INFINITY,
  }: Run,
  { tools, search, clock, log, tokenBudget, signal, emit }: RunParts,
): Promise<RunResult> {
  const passages = new Passages();
  const fence = newFence();
  // A fault of ours in a tool ends the run, which the SDK would tell to the model; and so does a
  // caller who left.
  const ended = new AbortController();
  const leave = () => ended.abort(new AppError('UNAVAILABLE', 'The run was cancelled'));
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  const present = (found: readonly FoundPassage[]) =>
    found.length === 0
      ? nothingFound
      : fenced(
          found.map((passage) => passages.add(passage)),
          { fence, about: aboutFound },
        );
  const context = { clock, present, search: (query: string) => search(query, ended.signal) };
  const runTool = async (tool: Tool, input: unknown) => {
    try {
      return await tool.run(input, context);
    } catch (error) {
      if (!(error instanceof ToolFault)) ended.abort(error);
      throw error;
    }
  };

  const outputTokensLeft = (steps: readonly StepResult<ToolSet>[]) =>
    outputTokensMax - sum(steps.map(({ usage }) => usage.outputTokens ?? 0));
  const numbered = sent.map((passage) => passages.add(passage));
  const options = {
    model: model.languageModel,
    instructions: instructionsFor(assistant.instructions),
    messages: promptFor({ messages, sent: numbered, fence }),
    tools: Object.fromEntries(
      tools.map((tool): [string, SdkTool] => [tool.name, asSdkTool(tool, runTool)]),
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
      const used = sum(
        steps.map(({ usage }) => (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)),
      );
      const mustAnswer = stepNumber + 1 >= assistant.stepLimit || used >= tokenBudget;
      return {
        maxOutputTokens: Math.min(runLimits.outputTokensPerStep, outputTokensLeft(steps)),
        ...(mustAnswer && { activeTools: [] }),
      };
    },
    abortSignal: ended.signal,
    // Time and repetition are the provider's part (models/provider-fetch.ts).
    maxRetries: 0,
  };

  const transcript = new Transcript(passages, emit);
  try {
    // Where nobody listens, a whole answer costs a third of the same in pieces.
    if (emit) await follow(streamText({ ...options, onError: () => {} }).stream, transcript);
    else for (const step of (await generateText(options)).steps) await transcript.takeStep(step);
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : faultOf(error, log);
  }
  if (ended.signal.aborted) throw ended.signal.reason;
  const result = transcript.result(model.name, outputTokensMax);
  // Whoever bounds the answer may get none: the model has thought, or asked a tool, until it was
  // cut off.
  const mayBeEmpty = result.finishReason === 'LENGTH' && Number.isFinite(outputTokensMax);
  if (result.text.trim() === '' && !mayBeEmpty)
    throw new AppError('PROVIDER_FAILED', 'The model gave no answer');
  return result;
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

async function follow(
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  transcript: Transcript,
): Promise<void> {
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    await transcript.take(part);
  }
}

const asSdkTool = (tool: Tool, run: (tool: Tool, input: unknown) => Promise<string>): SdkTool =>
  sdkTool({
    description: tool.description,
    inputSchema: tool.inputSchema,
    execute: (input: unknown) => run(tool, input),
  });
