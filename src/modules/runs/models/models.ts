import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { Env } from '../../../platform/env.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { createAnswers } from '../extractive/answer-in-thread.ts';
import { createExtractiveModel, extractiveModelName } from '../extractive/extractive-model.ts';
import { createProviderFetch, type ModelCall } from './provider-fetch.ts';

export type ChosenModel = { name: string; languageModel: LanguageModel };

/**
 * The models that assistants can have, by the names that they are given in settings and in
 * assistants.
 */
export type Models = {
  /** What answers for assistants that name no model. */
  usual: string;
  /** The names that `provider/model` may begin with. */
  providers: readonly string[];
  choose: (name: string | null) => ChosenModel;
  close: () => Promise<void>;
};

type Settings = Pick<
  Env,
  'MODEL_BASE_URL' | 'MODEL_API_KEY' | 'MODEL_DEFAULT' | 'MODEL_PROVIDERS' | 'MODEL_TIME_SECONDS'
>;
const modelsKept = 1_000;

type Provider = (model: string) => LanguageModel;

/**
 * `provider/model` is a model of a provider that MODEL_PROVIDERS names; anything else is a model of
 * the one at MODEL_BASE_URL, whose own names may have slashes. Without any provider the built-in
 * model answers for all.
 */
export function createModels(env: Settings, log: Log, called?: (call: ModelCall) => void): Models {
  const {
    MODEL_BASE_URL,
    MODEL_API_KEY,
    MODEL_DEFAULT,
    MODEL_PROVIDERS = {},
    MODEL_TIME_SECONDS,
  } = env;
  const connect = (name: string, baseURL: string, apiKey: string | undefined): Provider => {
    const provider = createOpenAICompatible({
      name,
      baseURL,
      ...(apiKey && { apiKey }),
      includeUsage: true,
      fetch: createProviderFetch({
        provider: name,
        timeMs: MODEL_TIME_SECONDS * 1000,
        log,
        called,
      }),
    });
    // Making one costs as much as a step of a run. The names are few: those that assistants have.
    const made = new Map<string, LanguageModel>();
    return (model) => {
      const languageModel = made.get(model) ?? provider.chatModel(model);
      if (made.size < modelsKept) made.set(model, languageModel);
      return languageModel;
    };
  };
  const answers = createAnswers(log);
  const builtIn = {
    name: extractiveModelName,
    languageModel: createExtractiveModel(answers.answer),
  };
  const usual = MODEL_BASE_URL ? connect('default', MODEL_BASE_URL, MODEL_API_KEY) : undefined;
  const named = new Map(
    Object.entries(MODEL_PROVIDERS).map(([name, { baseUrl, apiKey }]) => [
      name,
      connect(name, baseUrl, apiKey),
    ]),
  );
  if (
    MODEL_DEFAULT &&
    MODEL_DEFAULT !== extractiveModelName &&
    !usual &&
    !named.has(MODEL_DEFAULT.split('/')[0] ?? '')
  )
    throw new Error(
      'These settings are wrong:\n  MODEL_DEFAULT: its provider is neither at MODEL_BASE_URL nor in MODEL_PROVIDERS',
    );

  const choose = (asked: string | null): ChosenModel => {
    const name = asked ?? MODEL_DEFAULT ?? extractiveModelName;
    if (name === extractiveModelName || (!usual && named.size === 0)) return builtIn;
    const slash = name.indexOf('/');
    const provider = slash > 0 ? named.get(name.slice(0, slash)) : undefined;
    if (provider) return { name, languageModel: provider(name.slice(slash + 1)) };
    if (!usual)
      throw new AppError('PROVIDER_FAILED', 'The model of this assistant has no provider here');
    return { name, languageModel: usual(name) };
  };
  return { usual: choose(null).name, providers: [...named.keys()], choose, close: answers.close };
}
