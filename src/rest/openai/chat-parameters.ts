import { ChatRequestError } from './chat-request-error.ts';

/**
 * Parameters of OpenAI's chat completions that an assistant does not support, each with the values
 * that ask for nothing: OpenAI's own defaults. `null` and absence ask for nothing either.
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
  response_format: [{ type: 'text' }],
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
 * Parameters that concern OpenAI's own service and not the answer: who the end user is, and where
 * prompts are cached. They are accepted and have no effect.
 */
export const parametersWithoutEffect = [
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'user',
];

export const unsupportedParameters = Object.keys(unsupported);

/** Refuses what would otherwise be ignored without a word. One error names every such parameter. */
export function refuseUnsupported(body: Readonly<Record<string, unknown>>): void {
  const given = Object.entries(unsupported).filter(([name, harmless]) => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    return value !== undefined && value !== null && !harmless.some((one) => isSame(one, value));
  });
  const [first] = given;
  if (!first) return;
  const faults = given.map(([name, harmless]) => {
    const [only] = harmless;
    return harmless.length === 0
      ? `${name} is not supported; leave it out`
      : `${name} is not supported; leave it out, or send ${JSON.stringify(only)}`;
  });
  throw new ChatRequestError({
    message: faults.join('. '),
    param: first[0],
    code: 'unsupported_parameter',
  });
}

// The values that ask for nothing are short: nothing long is written into a text to compare it.
function isSame(one: unknown, value: unknown): boolean {
  if (typeof one !== 'object') return one === value;
  if (typeof value !== 'object' || value === null || Object.keys(value).length > 1) return false;
  const entries = Object.entries(value);
  const wanted = Object.entries(Object(one));
  return (
    Array.isArray(one) === Array.isArray(value) &&
    entries.length === wanted.length &&
    wanted.every(([name, item]) => Object.is(Object(value)[name], item))
  );
}
