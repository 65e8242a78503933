import type { Env } from '../../../platform/env.ts';
import type { Log } from '../../../platform/log.ts';
import { ModelListError, readModelList } from './read-model-list.ts';

type DefaultModelSettings = Pick<Env, 'MODEL_BASE_URL' | 'MODEL_API_KEY' | 'MODEL_DEFAULT'>;
type DefaultModelDependencies = { log: Pick<Log, 'info'>; timeoutMs?: number };

const listedIdsMax = 10;
const listedIdCharactersMax = 100;

/**
 * Finds the model for assistants that name no model: MODEL_DEFAULT, or else the only model of the
 * provider at MODEL_BASE_URL. The provider is asked once, when the program starts. If it lists
 * several models or none, or does not answer, the start fails. Otherwise the built-in model would
 * answer in place of the provider and nobody would notice.
 */
export async function findDefaultModel(
  settings: DefaultModelSettings,
  { log, timeoutMs = 10_000 }: DefaultModelDependencies,
): Promise<string | undefined> {
  const { MODEL_BASE_URL, MODEL_API_KEY, MODEL_DEFAULT } = settings;
  if (MODEL_DEFAULT !== undefined || MODEL_BASE_URL === undefined) return MODEL_DEFAULT;
  const models = await readModelList({
    baseUrl: MODEL_BASE_URL,
    apiKey: MODEL_API_KEY,
    timeoutMs,
  }).catch((error: unknown) => {
    throw error instanceof ModelListError ? modelDefaultError(error.message) : error;
  });
  const ids = models.map(({ id }) => id);
  const [onlyId, ...others] = ids;
  if (onlyId === undefined) throw modelDefaultError('lists no model');
  if (others.length > 0) throw modelDefaultError(`has ${ids.length} models: ${formatIds(ids)}`);
  log.info(
    { model: onlyId },
    'MODEL_DEFAULT is not set; the default is the only model that the provider at MODEL_BASE_URL lists',
  );
  return onlyId;
}

// The ids come from the provider and are printed on a terminal, so control characters are removed
// and the length is limited.
function formatIds(ids: readonly string[]): string {
  const names = ids
    .slice(0, listedIdsMax)
    .map((id) => id.replace(/\p{C}/gu, '').slice(0, listedIdCharactersMax));
  const moreCount = ids.length - names.length;
  return moreCount > 0 ? `${names.join(', ')} and ${moreCount} more` : names.join(', ');
}

const modelDefaultError = (reason: string) =>
  new Error(
    `These settings are wrong:\n  MODEL_DEFAULT: must be set to a model of the provider at MODEL_BASE_URL, which ${reason}`,
  );
