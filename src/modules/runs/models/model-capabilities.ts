/** What a model can do. Null: neither its provider nor the settings say. */
export type ModelCapabilities = {
  contextTokens: number | null;
  callsTools: boolean | null;
  readsImages: boolean | null;
  reasons: boolean | null;
  structuresOutput: boolean | null;
};

export const unknownCapabilities: ModelCapabilities = {
  contextTokens: null,
  callsTools: null,
  readsImages: null,
  reasons: null,
  structuresOutput: null,
};

/**
 * Reads what a model can do from its entry in a provider's list. The interface of OpenAI has only
 * names; other providers add fields:
 * - OpenRouter: `context_length`, `architecture.input_modalities`, `supported_parameters`
 *   (https://openrouter.ai/docs/guides/overview/models)
 * - Mistral: `max_context_length`, `capabilities` (https://docs.mistral.ai/api/endpoint/models)
 * - vLLM: `max_model_len`; Groq: `context_window`
 */
export function readCapabilities(entry: object): ModelCapabilities {
  const model: Record<string, unknown> = { ...entry };
  const parameters = listOf(model['supported_parameters']);
  const modalities = listOf(Object(model['architecture'])['input_modalities']);
  const capabilities: Record<string, unknown> = Object(model['capabilities']);
  const flag = (name: string) => {
    const value = capabilities[name];
    return typeof value === 'boolean' ? value : undefined;
  };
  return {
    contextTokens:
      [
        model['context_length'],
        model['max_context_length'],
        model['max_model_len'],
        model['context_window'],
      ].find(isTokenCount) ?? null,
    callsTools: flag('function_calling') ?? parameters?.includes('tools') ?? null,
    readsImages: flag('vision') ?? modalities?.includes('image') ?? null,
    reasons: flag('reasoning') ?? parameters?.includes('reasoning') ?? null,
    structuresOutput: parameters?.includes('structured_outputs') ?? null,
  };
}

const listOf = (value: unknown): unknown[] | undefined =>
  Array.isArray(value) ? value : undefined;

// The graph answers it as Int.
const isTokenCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= 2_147_483_647;
