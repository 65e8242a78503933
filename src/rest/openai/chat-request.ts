import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';

const textPart = z.object({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() });
const content = z.union([z.string(), z.array(z.unknown()).max(1_000).pipe(z.array(textPart))], 'must be a text or a list of texts');

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

const form = z.object({
  model: z.string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') }),
  messages: z.array(z.unknown(), { error: ({ input }) => (input === undefined ? 'is required' : 'must be a list') }),
  stream: z.boolean('must be true or false').nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, 'must be 1').nullish(),
});

export type ChatRequest = { assistantId: string; messages: { role: string; content: string }[]; streams: boolean; includesUsage: boolean };

/**
 * What a client of OpenAI's chat completions asks, in the words of a run. The assistant has its own temperature and tools, so
 * whatever a client sends of those is left out; so are its calls of tools, which are none of ours.
 */
export function parseChatRequest(body: Record<string, unknown>): ChatRequest {
  const parsed = form.safeParse(body);
  if (!parsed.success) throw refusalOf(parsed.error.issues);
  const { model, stream, stream_options: options } = parsed.data;
  const messages = messagesIn(parsed.data.messages);
  return {
    assistantId: model,
    messages: messages.flatMap(({ role, content: said }) => {
      const text = typeof said === 'string' ? said : (said ?? []).map((part) => part.text).join('\n');
      if (role === 'assistant' && text === '') return [];
      return [{ role: role === 'developer' ? 'system' : role, content: text }];
    }),
    streams: stream === true,
    includesUsage: options?.include_usage === true,
  };
}

const faultsMax = 10;

/** One after another, up to the tenth fault: to describe each of 400,000 wrong messages would take seconds. */
function messagesIn(given: readonly unknown[]): z.output<typeof message>[] {
  const messages: z.output<typeof message>[] = [];
  const issues: z.core.$ZodIssue[] = [];
  for (const [index, item] of given.entries()) {
    const parsed = message.safeParse(item);
    if (parsed.success) messages.push(parsed.data);
    else issues.push(...parsed.error.issues.slice(0, faultsMax).map((issue) => ({ ...issue, path: ['messages', index, ...issue.path] })));
    if (issues.length >= faultsMax) break;
  }
  if (issues.length > 0) throw refusalOf(issues);
  return messages;
}

const refusalOf = (issues: readonly z.core.$ZodIssue[]) =>
  new AppError(
    'BAD_INPUT',
    issues
      .slice(0, faultsMax)
      .map(({ path, message: fault }) => `${path.join('.')} ${fault}`)
      .join('; '),
  );
