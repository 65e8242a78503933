import { z } from 'zod';
import type { Env } from '../../../platform/env.ts';
import type { Log } from '../../../platform/log.ts';

type Settings = Pick<Env, 'MODEL_BASE_URL' | 'MODEL_API_KEY' | 'MODEL_DEFAULT'>;
type Parts = { log: Pick<Log, 'info'>; timeoutMs?: number };

const answerBytesMax = 4_194_304;
const idsShownMax = 10;
const idCharsShownMax = 100;

// A provider without models, such as a new Ollama, answers null in place of the list.
const modelList = z.object({ data: z.array(z.object({ id: z.string().min(1) })).nullable() });

/**
 * The model of assistants that name none: MODEL_DEFAULT, or else the only model of the provider at
 * MODEL_BASE_URL. It is asked for once, when the program starts. With several models or none, and
 * without an answer, the start stops: otherwise the built-in model would answer in place of the
 * provider, and nobody would notice.
 */
export async function findDefaultModel(
  settings: Settings,
  { log, timeoutMs = 10_000 }: Parts,
): Promise<string | undefined> {
  const { MODEL_BASE_URL, MODEL_API_KEY, MODEL_DEFAULT } = settings;
  if (MODEL_DEFAULT !== undefined || MODEL_BASE_URL === undefined) return MODEL_DEFAULT;
  const ids = await listModelIds({ baseUrl: MODEL_BASE_URL, apiKey: MODEL_API_KEY, timeoutMs });
  const [only, ...others] = ids;
  if (only === undefined) throw mustBeSet('lists no model');
  if (others.length > 0) throw mustBeSet(`has ${ids.length} models: ${shown(ids)}`);
  log.info(
    { model: only },
    'MODEL_DEFAULT is not set; the default is the only model that the provider at MODEL_BASE_URL lists',
  );
  return only;
}

type ListRequest = { baseUrl: string; apiKey: string | undefined; timeoutMs: number };

async function listModelIds({ baseUrl, apiKey, timeoutMs }: ListRequest): Promise<string[]> {
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
      throw mustBeSet(`answers GET /models with status ${response.status}${keyHint}`);
    }
    text = await readText(response);
  } catch (error) {
    if (error instanceof ModelDefaultMissing) throw error;
    if (signal.aborted)
      throw mustBeSet(`did not answer GET /models within ${timeoutMs / 1000} seconds`);
    const cause: { code?: unknown } = Object(error instanceof Error ? error.cause : undefined);
    throw mustBeSet(
      `could not be asked for its models${typeof cause.code === 'string' ? ` (${cause.code})` : ''}`,
    );
  }
  const parsed = modelList.safeParse(parseJson(text));
  if (!parsed.success)
    throw mustBeSet('answers GET /models with something that is not a list of models');
  return [...new Set((parsed.data.data ?? []).map(({ id }) => id))];
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > answerBytesMax)
      throw mustBeSet(`answers GET /models with more than ${answerBytesMax} bytes`);
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

// The ids come from the provider and go to a terminal: without control characters, and not without
// end.
function shown(ids: readonly string[]): string {
  const names = ids
    .slice(0, idsShownMax)
    .map((id) => id.replace(/\p{C}/gu, '').slice(0, idCharsShownMax));
  const more = ids.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

class ModelDefaultMissing extends Error {}

const mustBeSet = (reason: string) =>
  new ModelDefaultMissing(
    `These settings are wrong:\n  MODEL_DEFAULT: must be set to a model of the provider at MODEL_BASE_URL, which ${reason}`,
  );
