import type { LanguageModel } from 'ai';
import type { ModelRegistry } from './model-registry.ts';

/** The interface that the SDK requires of a model. */
type ModelInterface = Extract<Exclude<LanguageModel, string>, { specificationVersion: 'v4' }>;
type GenerateResult = Awaited<ReturnType<ModelInterface['doGenerate']>>;
type StreamResult = Awaited<ReturnType<ModelInterface['doStream']>>;
type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never;

const text = 'This is a dry run. The model was not asked.';
const id = 'answer';
const finishReason: GenerateResult['finishReason'] = { unified: 'stop', raw: undefined };
const usage: GenerateResult['usage'] = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};
const parts: readonly StreamPart[] = [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id },
  { type: 'text-delta', id, delta: text },
  { type: 'text-end', id },
  { type: 'finish', finishReason, usage },
];

/** Answers every question with the same sentence, without a provider. */
const dryRunModel: ModelInterface = {
  specificationVersion: 'v4',
  provider: 'atrium',
  modelId: 'atrium-dry-run',
  supportedUrls: {},
  doGenerate: async () => ({
    content: [{ type: 'text', text }],
    finishReason,
    usage,
    warnings: [],
  }),
  doStream: async () => ({
    stream: new ReadableStream({
      start: (controller) => {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    }),
  }),
};

/** The same models by name; each of them only says that this is a dry run. */
export const dryRunModels = (models: ModelRegistry): ModelRegistry => ({
  ...models,
  choose: (name) => ({ name: models.choose(name).name, languageModel: dryRunModel }),
});
