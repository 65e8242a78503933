import {
  generateText,
  type LanguageModel,
  type ModelMessage,
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
import { withResponseFormat } from './models/response-format.ts';
import { inRunSpan, inToolSpan } from './models/run-spans.ts';
import { traceModel } from './models/traced-model.ts';
import type { OutputChecker } from './output/check-output.ts';
import { mendRequest, outputInvalid, outputRequest } from './output/output-prompt.ts';
import { type RunOutput, readOutput } from './output/read-output.ts';
import { type FoundPassage, Passages } from './passages.ts';
import { instructionsFor, promptFor } from './prompt.ts';
import { runLimits } from './run-limits.ts';
import type { ModelResult, RunEvent, RunMessage } from './run-result.ts';
import type { ResumedSteps, StepObserver } from './run-steps.ts';
import { createStepSequence } from './step-sequence.ts';
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
  /** What an interrupted run had reached. */
  resumed?: ResumedSteps | undefined;
  /** The schema of a structured answer, and what checks it. */
  output?: (RunOutput & Pick<OutputChecker, 'check'>) | undefined;
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
  observer?: StepObserver | undefined;
};

// A model that fails three times in the same conversation fails again.
const mendingsMax = 2;

const foundPassagesNote = 'These passages of the assistant’s files were found.';
const nothingFoundNote = 'Nothing in the assistant’s files fits this query.';

/**
 * Runs a model for as many steps as the assistant allows. It gets no tools in the last step, so
 * that the run ends with an answer. If a structured answer is not valid, the model is asked to mend
 * it in up to two more steps.
 */
export const runModel = (
  input: RunModelInput,
  dependencies: RunModelDependencies,
): Promise<ModelResult> => inRunSpan(input.model, () => runSteps(input, dependencies));

async function runSteps(
  {
    assistant,
    messages,
    sentPassages,
    model,
    organizationId,
    outputTokensMax = Number.POSITIVE_INFINITY,
    resumed = { passages: new Passages(), fence: createFence(), steps: [] },
    output,
  }: RunModelInput,
  { tools, search, clock, log, tokenBudget, signal, emit, observer }: RunModelDependencies,
): Promise<ModelResult> {
  const { passages, fence } = resumed;
  // An unexpected error in a tool ends the run; the SDK would show it to the model instead. A
  // caller who disconnects ends the run too.
  const runController = new AbortController();
  const cancel = () =>
    runController.abort(
      signal.reason instanceof AppError
        ? signal.reason
        : new AppError('UNAVAILABLE', 'The run was cancelled'),
    );
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
      return await inToolSpan(tool.name, () => tool.run(input, context));
    } catch (error) {
      if (!(error instanceof ToolError)) runController.abort(error);
      throw error;
    }
  };

  const stepSequence = createStepSequence({ observer, clock, signal: runController.signal });
  const findFaults = async (value: unknown) =>
    (await output?.check({
      ...{ schema: output.schema, value, owner: organizationId ?? '' },
      signal: runController.signal,
    })) ?? [];
  const transcript = new Transcript(
    passages,
    emit,
    stepSequence.end,
    output && ((written) => readOutput(written, { passages, findFaults })),
  );
  for (const step of resumed.steps) transcript.restoreStep(step);
  // What the steps before this call of the model have used.
  let earlier = transcript.spent;
  let isMending = false;
  const outputTokensLeft = (steps: readonly StepResult<ToolSet>[]) =>
    outputTokensMax - earlier.outputTokens - sum(steps.map(({ usage }) => usage.outputTokens ?? 0));
  const numbered = sentPassages.map((passage) => passages.add(passage));
  const options = {
    model: traceModel(
      output ? withResponseFormat(model.languageModel, output.schema) : model.languageModel,
    ),
    instructions: instructionsFor(assistant.instructions),
    tools: Object.fromEntries(
      tools.map((tool): [string, SdkTool] => [tool.name, toSdkTool(tool, runTool)]),
    ),
    toolCallConcurrency: 4,
    ...(assistant.temperature !== null && { temperature: assistant.temperature }),
    ...(organizationId !== undefined && {
      providerOptions: { [extractiveModelName]: { owner: organizationId } },
    }),
    stopWhen: ({ steps }: { steps: readonly StepResult<ToolSet>[] }) =>
      isMending ||
      earlier.steps + steps.length >= assistant.stepLimit ||
      outputTokensLeft(steps) <= 0,
    prepareStep: async ({
      steps,
      stepNumber,
    }: {
      steps: readonly StepResult<ToolSet>[];
      stepNumber: number;
    }) => {
      const number = earlier.steps + stepNumber + 1;
      await stepSequence.begin(number);
      const usedTokens =
        earlier.tokens +
        sum(steps.map(({ usage }) => (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)));
      const mustAnswer = isMending || number >= assistant.stepLimit || usedTokens >= tokenBudget;
      return {
        maxOutputTokens: Math.min(runLimits.outputTokensPerStep, outputTokensLeft(steps)),
        ...(mustAnswer && { activeTools: [] }),
      };
    },
    abortSignal: runController.signal,
    // The provider's fetch limits the time and retries (models/provider-fetch.ts).
    maxRetries: 0,
  };

  // The SDK ignores an error of this callback.
  const recordStep = (step: StepResult<ToolSet>) =>
    transcript.recordStep(step).catch((error: unknown) => runController.abort(error));
  // The process may have ended between the last step and the end of the run. A structured answer
  // that was valid is stored together with the end, so it is asked for again.
  const wasLast =
    !output &&
    earlier.steps > 0 &&
    (resumed.steps.at(-1)?.requestsTools === false || options.stopWhen({ steps: [] }));
  if (wasLast) return transcript.result(model.name, outputTokensMax);
  const callModel = async (conversation: ModelMessage[]) => {
    const call = { ...options, messages: conversation };
    try {
      // Without a listener a complete answer is used: it costs a third of the CPU time of a
      // streamed one.
      if (emit) await followStream(streamText({ ...call, onError: () => {} }).stream, transcript);
      else await generateText({ ...call, onStepEnd: recordStep });
    } catch (error) {
      throw runController.signal.aborted ? runController.signal.reason : toPublicError(error, log);
    }
    if (runController.signal.aborted) throw runController.signal.reason;
  };
  const promptSoFar = () => [
    ...promptFor({ messages, sentPassages: numbered, fence }),
    ...(output ? [outputRequest(output)] : []),
    ...promptFor({ messages: transcript.messages, sentPassages: [], fence }),
  ];
  await callModel(promptSoFar());
  for (let mendings = 0; transcript.rejected; mendings += 1) {
    earlier = transcript.spent;
    isMending = true;
    const { rejected } = transcript;
    if (mendings === mendingsMax || outputTokensLeft([]) <= 0) throw outputInvalid(rejected);
    await callModel([...promptSoFar(), ...mendRequest(rejected)]);
  }
  const result = transcript.result(model.name, outputTokensMax);
  if (output && result.text === '') throw outputInvalid();
  // A caller who limits the tokens may get an empty answer: the model may have spent all of them on
  // reasoning or tool calls. And a filter of the provider may hold back all of it.
  const mayBeEmpty =
    result.finishReason === 'CONTENT_FILTER' ||
    (result.finishReason === 'LENGTH' && Number.isFinite(outputTokensMax));
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
