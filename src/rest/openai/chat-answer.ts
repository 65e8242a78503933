import { eventText } from '../../http/event-stream.ts';
import type { StreamEvent } from '../subscription-stream.ts';

type CompletionInfo = { id: string; created: number; model: string };

/**
 * Converts the body of a run to a chat completion. Fields that OpenAI does not have are added under
 * our own names.
 */
export function chatCompletion(
  { id, created, model }: CompletionInfo,
  body: Record<string, unknown>,
) {
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
        finish_reason: finishReasonOf(finishReason),
      },
    ],
    usage: usageOf(body),
    citations,
    citationDetails,
  };
}

/**
 * Converts the events of a run to chunks of a chat completion. Calls of the assistant's tools are
 * not sent.
 */
export function chatChunks(
  { id, created, model }: CompletionInfo,
  { includesUsage }: { includesUsage: boolean },
): (event: StreamEvent) => string {
  const chunk = (fields: object) =>
    eventText({ data: { id, object: 'chat.completion.chunk', created, model, ...fields } });
  const choiceChunk = (delta: object, finishReason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }] });
  let hasContent = false;
  let isAfterToolCall = false;
  return ({ name, data }) => {
    if (name === 'error') return eventText({ data });
    if (name === 'tool-call') isAfterToolCall = hasContent;
    const first = hasContent ? {} : { role: 'assistant' };
    if (name === 'reasoning') return choiceChunk({ ...first, reasoning_content: data['text'] });
    if (name === 'text') {
      // The text after a tool call begins a new paragraph.
      const text = `${isAfterToolCall ? '\n\n' : ''}${data['text']}`;
      hasContent = true;
      isAfterToolCall = false;
      return choiceChunk({ ...first, content: text });
    }
    if (name !== 'done') return '';
    const { finishReason, citations, citationDetails } = data;
    // If the run ended before its first word, the last chunk has the role.
    const delta = hasContent ? {} : { role: 'assistant', content: '' };
    const lastChunk = chunk({
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReasonOf(finishReason) }],
      citations,
      citationDetails,
    });
    return `${lastChunk}${includesUsage ? chunk({ choices: [], usage: usageOf(data) }) : ''}data: [DONE]\n\n`;
  };
}

const finishReasonOf = (finishReason: unknown): 'stop' | 'length' =>
  finishReason === 'LENGTH' ? 'length' : 'stop';

function usageOf({ usage }: Record<string, unknown>) {
  const { promptTokens, completionTokens } = Object(usage);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
