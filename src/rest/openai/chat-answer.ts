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
  let hasRole = false;
  let hasContent = false;
  let isAfterToolCall = false;
  // OpenAI's client for Python joins the texts of all chunks, so a second role would give
  // "assistantassistant".
  const withRole = (delta: object) => {
    const role = hasRole ? {} : { role: 'assistant' };
    hasRole = true;
    return { ...role, ...delta };
  };
  return ({ name, data }) => {
    if (name === 'error') return eventText({ data });
    if (name === 'tool-call') isAfterToolCall = hasContent;
    if (name === 'reasoning') return choiceChunk(withRole({ reasoning_content: data['text'] }));
    if (name === 'text') {
      // The text after a tool call begins a new paragraph.
      const text = `${isAfterToolCall ? '\n\n' : ''}${data['text']}`;
      hasContent = true;
      isAfterToolCall = false;
      return choiceChunk(withRole({ content: text }));
    }
    if (name !== 'done') return '';
    const { finishReason, citations, citationDetails } = data;
    const delta = hasContent ? {} : withRole({ content: '' });
    const lastChunk = chunk({
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReasonOf(finishReason) }],
      citations,
      citationDetails,
    });
    return `${lastChunk}${includesUsage ? chunk({ choices: [], usage: usageOf(data) }) : ''}data: [DONE]\n\n`;
  };
}

const finishReasonOf = (finishReason: unknown): 'stop' | 'length' | 'content_filter' => {
  if (finishReason === 'LENGTH') return 'length';
  return finishReason === 'CONTENT_FILTER' ? 'content_filter' : 'stop';
};

function usageOf({ usage }: Record<string, unknown>) {
  const { promptTokens, completionTokens } = Object(usage);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
