import { z } from 'zod';
import { type ModelCapabilities, readCapabilities } from './model-capabilities.ts';

type ModelListRequest = { baseUrl: string; apiKey: string | undefined; timeoutMs: number };
export type ListedModel = ModelCapabilities & { id: string };

const answerBytesMax = 4_194_304;

// A provider without models, such as a new Ollama, answers null instead of a list.
const modelList = z.object({ data: z.array(z.looseObject({ id: z.string().min(1) })).nullable() });

/** Why a provider could not list its models. The message never contains a key or an answer. */
export class ModelListError extends Error {}

/** Asks an OpenAI-compatible provider for its models, and what each of them can do. */
export async function readModelList({
  baseUrl,
  apiKey,
  timeoutMs,
}: ModelListRequest): Promise<ListedModel[]> {
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
      throw new ModelListError(`answers GET /models with status ${response.status}${keyHint}`);
    }
    text = await readText(response);
  } catch (error) {
    if (error instanceof ModelListError) throw error;
    if (signal.aborted)
      throw new ModelListError(`did not answer GET /models within ${timeoutMs / 1000} seconds`);
    const cause: { code?: unknown } = Object(error instanceof Error ? error.cause : undefined);
    throw new ModelListError(
      `could not be asked for its models${typeof cause.code === 'string' ? ` (${cause.code})` : ''}`,
    );
  }
  const parsed = modelList.safeParse(parseJson(text));
  if (!parsed.success)
    throw new ModelListError('answers GET /models with something that is not a list of models');
  const models = new Map(
    (parsed.data.data ?? []).map((model) => [
      model.id,
      { id: model.id, ...readCapabilities(model) },
    ]),
  );
  return [...models.values()];
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > answerBytesMax)
      throw new ModelListError(`answers GET /models with more than ${answerBytesMax} bytes`);
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
