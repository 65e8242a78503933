import type { StreamEvent } from '../event-stream.ts';

type Answered = { id: string; created: number; model: string };

/**
 * The body of a run as a chat completion. What OpenAI has no field for is added under our own
 * names.
 */
export function chatCompletion({ id, created, model }: Answered, body: Record<string, unknown>) {
  const { text, finishReason, citations, citationDetails } = body;
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null },
        logprobs: null,
        finish_reason: reasonOf(finishReason),
      },
    ],
    usage: usageOf(body),
    citations,
    citationDetails,
  };
}

/**
 * The events of a run as pieces of a chat completion. What the assistant does with its tools is not
 * told.
 */
export function chatChunks(
  { id, created, model }: Answered,
  { includesUsage }: { includesUsage: boolean },
): (event: StreamEvent) => string {
  const piece = (fields: object) =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...fields })}\n\n`;
  const choice = (delta: object, finish: string | null = null) =>
    piece({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  let begun = false;
  let paused = false;
  return ({ name, data }) => {
    if (name === 'error') return `data: ${JSON.stringify(data)}\n\n`;
    if (name === 'tool-call') paused = begun;
    const first = begun ? {} : { role: 'assistant' };
    if (name === 'reasoning') return choice({ ...first, reasoning_content: data['text'] });
    if (name === 'text') {
      // What was said before a tool was asked is a paragraph of its own.
      const text = `${paused ? '\n\n' : ''}${data['text']}`;
      begun = true;
      paused = false;
      return choice({ ...first, content: text });
    }
    if (name !== 'done') return '';
    const { finishReason, citations, citationDetails } = data;
    // An answer that was cut off before its first word has its role here.
    const delta = begun ? {} : { role: 'assistant', content: '' };
    const last = piece({
      choices: [{ index: 0, delta, logprobs: null, finish_reason: reasonOf(finishReason) }],
      citations,
      citationDetails,
    });
    return `${last}${includesUsage ? piece({ choices: [], usage: usageOf(data) }) : ''}data: [DONE]\n\n`;
  };
}

const reasonOf = (finishReason: unknown): 'stop' | 'length' =>
  finishReason === 'LENGTH' ? 'length' : 'stop';

function usageOf({ usage }: Record<string, unknown>) {
  const { promptTokens, completionTokens } = Object(usage);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
