import { z } from 'zod';
import { refuseUnsupported } from './chat-parameters.ts';
import { ChatRequestError } from './chat-request-error.ts';

const textPart = z.object({
  type: z.enum(['text', 'input_text', 'output_text']),
  text: z.string(),
});
const content = z.union(
  [z.string(), z.array(z.unknown()).max(1_000).pipe(z.array(textPart))],
  'must be a text or a list of texts',
);

const message = z.discriminatedUnion(
  'role',
  [
    z.object({ role: z.literal('system'), content }),
    z.object({ role: z.literal('developer'), content }),
    z.object({ role: z.literal('user'), content }),
    z.object({ role: z.literal('assistant'), content: content.nullish() }),
    z.object({ role: z.literal('tool'), content }),
  ],
  'must have a role of system, developer, user, assistant, tool',
);

const tokens = z
  .int('must be an integer of at least 1')
  .min(1, 'must be an integer of at least 1')
  .nullish();
const temperature = 'must be a number from 0 to 2';

const form = z.object({
  model: z.string({
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a string'),
  }),
  messages: z.array(z.unknown(), {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a list'),
  }),
  stream: z.boolean('must be true or false').nullish(),
  stream_options: z
    .object(
      {
        include_usage: z.boolean('must be true or false').nullish(),
        // Random characters that hide the lengths of the pieces from whoever listens on the wire.
        include_obfuscation: z
          .literal(false, 'is not supported; leave it out, or send false')
          .nullish(),
      },
      'must be an object',
    )
    .nullish(),
  max_tokens: tokens,
  max_completion_tokens: tokens,
  temperature: z.number(temperature).min(0, temperature).max(2, temperature).nullish(),
});

/** What a client of OpenAI's chat completions asks, in the words of a run. */
export type ChatRequest = {
  assistantId: string;
  messages: { role: string; content: string }[];
  streams: boolean;
  includesUsage: boolean;
  outputTokensMax: number | undefined;
  temperature: number | undefined;
};

/**
 * The assistant has its own tools, so calls of the client's tools in the conversation are left out.
 * Fields that OpenAI does not have are ignored, as everywhere below /api.
 */
export function parseChatRequest(body: Record<string, unknown>): ChatRequest {
  const parsed = form.safeParse(body);
  if (!parsed.success) throw refusalOf(parsed.error.issues);
  refuseUnsupported(body);
  const {
    model,
    stream,
    stream_options: options,
    max_tokens: older,
    max_completion_tokens: newer,
    temperature: heat,
  } = parsed.data;
  if (typeof older === 'number' && typeof newer === 'number')
    throw new ChatRequestError({
      message: 'max_tokens and max_completion_tokens must not both be sent',
      param: 'max_tokens',
    });
  if (options && stream !== true)
    throw new ChatRequestError({
      message: 'stream_options must not be sent unless stream is true',
      param: 'stream_options',
    });
  const messages = messagesIn(parsed.data.messages);
  return {
    assistantId: model,
    messages: messages.flatMap(({ role, content: said }) => {
      const text =
        typeof said === 'string' ? said : (said ?? []).map((part) => part.text).join('\n');
      if (role === 'assistant' && text === '') return [];
      return [{ role: role === 'developer' ? 'system' : role, content: text }];
    }),
    streams: stream === true,
    includesUsage: options?.include_usage === true,
    outputTokensMax: newer ?? older ?? undefined,
    temperature: heat ?? undefined,
  };
}

const faultsMax = 10;

/**
 * One after another, up to the tenth fault: to describe each of 400,000 wrong messages would take
 * seconds.
 */
function messagesIn(given: readonly unknown[]): z.output<typeof message>[] {
  const messages: z.output<typeof message>[] = [];
  const issues: z.core.$ZodIssue[] = [];
  for (const [index, item] of given.entries()) {
    const parsed = message.safeParse(item);
    if (parsed.success) messages.push(parsed.data);
    else
      issues.push(
        ...parsed.error.issues
          .slice(0, faultsMax)
          .map((issue) => ({ ...issue, path: ['messages', index, ...issue.path] })),
      );
    if (issues.length >= faultsMax) break;
  }
  if (issues.length > 0) throw refusalOf(issues);
  return messages;
}

function refusalOf(issues: readonly z.core.$ZodIssue[]): ChatRequestError {
  const faults = issues
    .slice(0, faultsMax)
    .map(({ path, message: fault }) => ({ param: paramAt(path), fault }));
  return new ChatRequestError({
    message: faults.map(({ param, fault }) => `${param} ${fault}`).join('; '),
    param: faults[0]?.param ?? '',
  });
}

// As OpenAI writes it: messages[0].content.
const paramAt = (path: readonly PropertyKey[]): string =>
  path
    .map((key, depth) =>
      typeof key === 'number' ? `[${key}]` : `${depth > 0 ? '.' : ''}${String(key)}`,
    )
    .join('');
