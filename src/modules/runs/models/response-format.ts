import type { LanguageModel } from 'ai';
import type { OutputSchema } from '../output/output-schema.ts';
import { ProviderRefusal } from './provider-fetch.ts';

/** The interface that the SDK requires of a model. */
type ModelInterface = Extract<Exclude<LanguageModel, string>, { specificationVersion: 'v4' }>;
type CallOptions = Parameters<ModelInterface['doGenerate']>[0];

/** The models that have refused a response format, in this process. */
const withoutFormat = new WeakSet<ModelInterface>();

/**
 * A model that gets the schema as the provider's response format. A provider that refuses the
 * request is asked again without the format, and the model is not sent one again if that helps.
 */
export function withResponseFormat(model: LanguageModel, schema: OutputSchema): LanguageModel {
  // OpenAI requires an object at the top.
  if (typeof model === 'string' || model.specificationVersion !== 'v4') return model;
  if (typeof schema === 'boolean' || schema['type'] !== 'object') return model;
  const formatted = (options: CallOptions): CallOptions => ({
    ...options,
    responseFormat: { type: 'json', schema, name: 'answer' },
    // In its strict mode OpenAI accepts only some schemas. The answer is checked in any case.
    providerOptions: {
      ...options.providerOptions,
      openaiCompatible: {
        ...options.providerOptions?.['openaiCompatible'],
        strictJsonSchema: false,
      },
    },
  });
  const call = async <Result>(
    options: CallOptions,
    send: (options: CallOptions) => PromiseLike<Result>,
  ): Promise<Result> => {
    if (withoutFormat.has(model)) return send(options);
    try {
      return await send(formatted(options));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const result = await send(options);
      withoutFormat.add(model);
      return result;
    }
  };
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => call(options, (sent) => model.doGenerate(sent)),
    doStream: (options) => call(options, (sent) => model.doStream(sent)),
  };
}

function isRefusal(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ProviderRefusal) return true;
  return false;
}
