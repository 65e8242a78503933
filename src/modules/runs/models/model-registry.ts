import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { Env } from '../../../platform/env.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { createAnswerPool } from '../extractive/answer-in-thread.ts';
import { createExtractiveModel, extractiveModelName } from '../extractive/extractive-model.ts';
import { createModelCatalogue, type ModelCatalogue } from './model-catalogue.ts';
import { createProviderFetch, type ModelCall } from './provider-fetch.ts';

export type ChosenModel = { name: string; languageModel: LanguageModel };

/** The models that assistants can use, by the names that settings and assistants give them. */
export type ModelRegistry = {
  /** The model for assistants that name no model. */
  defaultModel: string;
  /** The provider names that are valid in `provider/model`. */
  providers: readonly string[];
  catalogue: ModelCatalogue;
  choose: (name: string | null) => ChosenModel;
  close: () => Promise<void>;
};

type ModelSettings = Pick<
  Env,
  | 'MODEL_BASE_URL'
  | 'MODEL_API_KEY'
  | 'MODEL_DEFAULT'
  | 'MODEL_PROVIDERS'
  | 'MODEL_CAPABILITIES'
  | 'MODEL_TIME_SECONDS'
>;
const modelsCachedMax = 1_000;

type ModelFactory = (model: string) => LanguageModel;

type RegistryOptions = {
  onCall?: (call: ModelCall) => void;
  /** Whether a tenant sends so many requests that others come first. */
  isPaced?: (organizationId: string) => boolean;
};

/**
 * Creates the registry. `provider/model` is a model of a provider in MODEL_PROVIDERS. Any other
 * name is a model of the provider at MODEL_BASE_URL, whose model names may contain slashes. Without
 * any provider the built-in model answers for all assistants.
 */
export function createModelRegistry(
  env: ModelSettings,
  log: Log,
  { onCall, isPaced = () => false }: RegistryOptions = {},
): ModelRegistry {
  const {
    MODEL_BASE_URL,
    MODEL_API_KEY,
    MODEL_DEFAULT,
    MODEL_PROVIDERS = {},
    MODEL_TIME_SECONDS,
  } = env;
  const connect = (name: string, baseURL: string, apiKey: string | undefined): ModelFactory => {
    const provider = createOpenAICompatible({
      name,
      baseURL,
      ...(apiKey && { apiKey }),
      includeUsage: true,
      supportsStructuredOutputs: true,
      fetch: createProviderFetch({
        provider: name,
        timeMs: MODEL_TIME_SECONDS * 1000,
        log,
        onCall,
      }),
    });
    // Creating a model object costs as much as a step of a run. Assistants use few different names,
    // so the objects are cached.
    const modelCache = new Map<string, LanguageModel>();
    return (model) => {
      const languageModel = modelCache.get(model) ?? provider.chatModel(model);
      if (modelCache.size < modelsCachedMax) modelCache.set(model, languageModel);
      return languageModel;
    };
  };
  const answerPool = createAnswerPool(log, isPaced);
  const builtIn = {
    name: extractiveModelName,
    languageModel: createExtractiveModel(answerPool.answer),
  };
  const defaultProvider = MODEL_BASE_URL
    ? connect('default', MODEL_BASE_URL, MODEL_API_KEY)
    : undefined;
  const namedProviders = new Map(
    Object.entries(MODEL_PROVIDERS).map(([name, { baseUrl, apiKey }]) => [
      name,
      connect(name, baseUrl, apiKey),
    ]),
  );
  if (
    MODEL_DEFAULT &&
    MODEL_DEFAULT !== extractiveModelName &&
    !defaultProvider &&
    !namedProviders.has(MODEL_DEFAULT.split('/')[0] ?? '')
  )
    throw new Error(
      'These settings are wrong:\n  MODEL_DEFAULT: its provider is neither at MODEL_BASE_URL nor in MODEL_PROVIDERS',
    );

  const choose = (requestedName: string | null): ChosenModel => {
    const name = requestedName ?? MODEL_DEFAULT ?? extractiveModelName;
    if (name === extractiveModelName || (!defaultProvider && namedProviders.size === 0))
      return builtIn;
    const slash = name.indexOf('/');
    const provider = slash > 0 ? namedProviders.get(name.slice(0, slash)) : undefined;
    if (provider) return { name, languageModel: provider(name.slice(slash + 1)) };
    if (!defaultProvider)
      throw new AppError('PROVIDER_FAILED', 'The model of this assistant has no provider here');
    return { name, languageModel: defaultProvider(name) };
  };
  return {
    defaultModel: choose(null).name,
    providers: [...namedProviders.keys()],
    catalogue: createModelCatalogue(env, log),
    choose,
    close: answerPool.close,
  };
}
