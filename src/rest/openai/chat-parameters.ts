import { ChatRequestError } from './chat-request-error.ts';

/**
 * The parameters of OpenAI's chat completions that assistants do not support, each with OpenAI's
 * default values, which are accepted. `null` and absence are accepted too.
 */
const unsupported: Readonly<Record<string, readonly unknown[]>> = {
  audio: [],
  frequency_penalty: [0],
  function_call: [],
  functions: [[]],
  logit_bias: [{}],
  logprobs: [false],
  metadata: [{}],
  modalities: [['text']],
  moderation: [],
  n: [1],
  parallel_tool_calls: [],
  prediction: [],
  presence_penalty: [0],
  reasoning_effort: [],
  seed: [],
  service_tier: ['auto', 'default'],
  stop: [[]],
  store: [false],
  tool_choice: [],
  tools: [[]],
  top_logprobs: [0],
  top_p: [1],
  verbosity: ['medium'],
  web_search_options: [],
};

/**
 * Parameters for OpenAI's own service that do not affect the response: the id of the end user, and
 * where prompts are cached. They are accepted and have no effect.
 */
export const parametersWithoutEffect = [
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'user',
];

export const unsupportedParameters = Object.keys(unsupported);

/** Rejects parameters that would otherwise be ignored silently. One error names all of them. */
export function rejectUnsupported(body: Readonly<Record<string, unknown>>): void {
  const sentParameters = Object.entries(unsupported).filter(([name, defaults]) => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    return (
      value !== undefined &&
      value !== null &&
      !defaults.some((defaultValue) => equals(defaultValue, value))
    );
  });
  const [first] = sentParameters;
  if (!first) return;
  const messages = sentParameters.map(([name, defaults]) => {
    const [defaultValue] = defaults;
    return defaults.length === 0
      ? `${name} is not supported; leave it out`
      : `${name} is not supported; leave it out, or send ${JSON.stringify(defaultValue)}`;
  });
  throw new ChatRequestError({
    message: messages.join('. '),
    param: first[0],
    code: 'unsupported_parameter',
  });
}

// The default values are short, so the values are compared without serializing a long one.
function equals(expected: unknown, value: unknown): boolean {
  if (typeof expected !== 'object') return expected === value;
  if (typeof value !== 'object' || value === null || Object.keys(value).length > 1) return false;
  const entries = Object.entries(value);
  const expectedEntries = Object.entries(Object(expected));
  return (
    Array.isArray(expected) === Array.isArray(value) &&
    entries.length === expectedEntries.length &&
    expectedEntries.every(([name, item]) => Object.is(Object(value)[name], item))
  );
}
