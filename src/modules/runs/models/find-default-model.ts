import { z } from 'zod';
import type { Env } from '../../../platform/env.ts';
import type { Log } from '../../../platform/log.ts';

type DefaultModelSettings = Pick<Env, 'MODEL_BASE_URL' | 'MODEL_API_KEY' | 'MODEL_DEFAULT'>;
type DefaultModelDependencies = { log: Pick<Log, 'info'>; timeoutMs?: number };

const answerBytesMax = 4_194_304;
const listedIdsMax = 10;
const listedIdCharactersMax = 100;

// A provider without models, such as a new Ollama, answers null instead of a list.
const modelList = z.object({ data: z.array(z.object({ id: z.string().min(1) })).nullable() });

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
  const ids = await listModelIds({ baseUrl: MODEL_BASE_URL, apiKey: MODEL_API_KEY, timeoutMs });
  const [onlyId, ...others] = ids;
  if (onlyId === undefined) throw modelDefaultError('lists no model');
  if (others.length > 0) throw modelDefaultError(`has ${ids.length} models: ${formatIds(ids)}`);
  log.info(
    { model: onlyId },
    'MODEL_DEFAULT is not set; the default is the only model that the provider at MODEL_BASE_URL lists',
  );
  return onlyId;
}

type ModelListRequest = { baseUrl: string; apiKey: string | undefined; timeoutMs: number };

async function listModelIds({ baseUrl, apiKey, timeoutMs }: ModelListRequest): Promise<string[]> {
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = {
    accept: 'application/json',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  let text: string;
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
      headers,
      signal,
      redirect: 'error',
    });
    if (!response.ok) {
      await response.body?.cancel();
      const keyHint =
        response.status === 401 || response.status === 403 ? '; MODEL_API_KEY may be wrong' : '';
      throw modelDefaultError(`answers GET /models with status ${response.status}${keyHint}`);
    }
    text = await readText(response);
  } catch (error) {
    if (error instanceof ModelDefaultError) throw error;
    if (signal.aborted)
      throw modelDefaultError(`did not answer GET /models within ${timeoutMs / 1000} seconds`);
    const cause: { code?: unknown } = Object(error instanceof Error ? error.cause : undefined);
    throw modelDefaultError(
      `could not be asked for its models${typeof cause.code === 'string' ? ` (${cause.code})` : ''}`,
    );
  }
  const parsed = modelList.safeParse(parseJson(text));
  if (!parsed.success)
    throw modelDefaultError('answers GET /models with something that is not a list of models');
  return [...new Set((parsed.data.data ?? []).map(({ id }) => id))];
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > answerBytesMax)
      throw modelDefaultError(`answers GET /models with more than ${answerBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

class ModelDefaultError extends Error {}

const modelDefaultError = (reason: string) =>
  new ModelDefaultError(
    `These settings are wrong:\n  MODEL_DEFAULT: must be set to a model of the provider at MODEL_BASE_URL, which ${reason}`,
  );
