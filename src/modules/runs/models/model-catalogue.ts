import type { Env } from '../../../platform/env.ts';
import { inputError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { extractiveModelName } from '../extractive/extractive-model.ts';
import { type ModelCapabilities, unknownCapabilities } from './model-capabilities.ts';
import { type ListedModel, ModelListError, readModelList } from './read-model-list.ts';

export type AvailableModel = ModelCapabilities & { name: string };

export type AvailableModels = {
  /** In the order of their names, the built-in model first. */
  models: readonly AvailableModel[];
  /** Whether all providers have listed their models. */
  isComplete: boolean;
};

/** The models that assistants can choose. */
export type ModelCatalogue = {
  list: () => Promise<AvailableModels>;
  /** Refuses the name of a model that does not exist. */
  requireModel: (name: string) => Promise<void>;
};

type CatalogueSettings = Pick<
  Env,
  'MODEL_BASE_URL' | 'MODEL_API_KEY' | 'MODEL_DEFAULT' | 'MODEL_PROVIDERS' | 'MODEL_CAPABILITIES'
>;
type ProviderList = { models: readonly ListedModel[]; isComplete: boolean; readAt: number };

const freshMs = 60_000;
// After this time a provider is asked again before a name is refused, and after a failure.
const retryMs = 5_000;
const timeoutMs = 5_000;
const modelsMax = 1_000;
const nameCharactersMax = 200;
const namedMax = 10;

const builtIn: AvailableModel = {
  name: extractiveModelName,
  contextTokens: null,
  callsTools: true,
  readsImages: false,
  reasons: false,
  structuresOutput: false,
};

/**
 * Lists the models of all providers. Each provider is asked at most once a minute, by requests that
 * need the list. While a provider does not list its models, its models cannot be checked, and any
 * name is accepted; those that it listed before are still shown.
 */
export function createModelCatalogue(
  {
    MODEL_BASE_URL,
    MODEL_API_KEY,
    MODEL_DEFAULT,
    MODEL_PROVIDERS = {},
    MODEL_CAPABILITIES = {},
  }: CatalogueSettings,
  log: Pick<Log, 'warn'>,
): ModelCatalogue {
  const named = Object.entries(MODEL_PROVIDERS).map(([provider, { baseUrl, apiKey }]) => ({
    ...{ provider, prefix: `${provider}/` },
    read: cachedList(provider, { baseUrl, apiKey }, log),
  }));
  const providers = MODEL_BASE_URL
    ? [
        {
          ...{ provider: 'default', prefix: '' },
          read: cachedList('default', { baseUrl: MODEL_BASE_URL, apiKey: MODEL_API_KEY }, log),
        },
        ...named,
      ]
    : named;
  /** Whether this name is one of a named provider, although the default provider lists it. */
  const isShadowed = (id: string) => named.some(({ prefix }) => id.startsWith(prefix));

  async function list(
    ageMsMax = freshMs,
  ): Promise<AvailableModels & { isListed: (name: string) => boolean }> {
    const lists = await Promise.all(
      providers.map(async ({ prefix, read }) => ({ prefix, ...(await read(ageMsMax)) })),
    );
    const models = new Map<string, AvailableModel>();
    for (const { prefix, models: listed } of lists)
      for (const { id, ...capabilities } of listed)
        if (isName(prefix + id) && (prefix !== '' || !isShadowed(id)))
          models.set(prefix + id, { ...capabilities, name: prefix + id });
    if (MODEL_DEFAULT !== undefined && !models.has(MODEL_DEFAULT))
      models.set(MODEL_DEFAULT, { ...unknownCapabilities, name: MODEL_DEFAULT });
    for (const [name, told] of Object.entries(MODEL_CAPABILITIES)) {
      const listed = models.get(name) ?? unknownCapabilities;
      models.set(name, {
        name,
        contextTokens: told.contextTokens ?? listed.contextTokens,
        callsTools: told.callsTools ?? listed.callsTools,
        readsImages: told.readsImages ?? listed.readsImages,
        reasons: told.reasons ?? listed.reasons,
        structuresOutput: told.structuresOutput ?? listed.structuresOutput,
      });
    }
    models.delete(builtIn.name);
    const sorted = [...models.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
    return {
      models: [builtIn, ...sorted].slice(0, modelsMax),
      isComplete: lists.every(({ isComplete }) => isComplete),
      isListed: (name) => {
        const { isComplete = true } =
          lists.find(({ prefix }) => prefix !== '' && name.startsWith(prefix)) ??
          lists.find(({ prefix }) => prefix === '') ??
          {};
        return !isComplete || name === builtIn.name || models.has(name);
      },
    };
  }

  return {
    list,
    async requireModel(name) {
      if ((await list()).isListed(name)) return;
      const { models, isListed } = await list(retryMs);
      if (isListed(name)) return;
      const names = models.slice(0, namedMax).map((model) => model.name);
      const moreCount = models.length - names.length;
      throw inputError(
        'model',
        'UNKNOWN_VALUE',
        `model must be one of the models that exist here: ${names.join(', ')}${moreCount > 0 ? ` and ${moreCount} more, which the query models lists` : ''}`,
        'UNKNOWN_MODEL',
      );
    },
  };
}

const isName = (name: string) => name.length <= nameCharactersMax && !/\p{C}/u.test(name);

/** Reads the list of one provider if the last one is older than asked. Requests share one call. */
function cachedList(
  provider: string,
  address: { baseUrl: string; apiKey: string | undefined },
  log: Pick<Log, 'warn'>,
) {
  let last: ProviderList | undefined;
  let running: Promise<ProviderList> | undefined;
  async function read(): Promise<ProviderList> {
    try {
      const models = await readModelList({ ...address, timeoutMs });
      last = { models, isComplete: true, readAt: performance.now() };
    } catch (error) {
      if (!(error instanceof ModelListError)) throw error;
      log.warn({ provider, reason: error.message }, 'A provider does not list its models');
      last = { models: last?.models ?? [], isComplete: false, readAt: performance.now() };
    } finally {
      running = undefined;
    }
    return last;
  }
  return async (ageMsMax: number): Promise<ProviderList> => {
    const ageMs = last ? performance.now() - last.readAt : Number.POSITIVE_INFINITY;
    if (last && ageMs <= (last.isComplete ? ageMsMax : retryMs)) return last;
    running ??= read();
    return running;
  };
}
