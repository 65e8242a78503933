import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** One turn of the model: what it says, thinks, and which tools it asks for. */
export type Turn = {
  text?: string;
  reasoning?: string;
  toolCalls?: { name: string; input: unknown }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  /** Why it ends, where that is not plain. */
  finish?: 'length';
  /** How long it thinks before it says anything. */
  afterMs?: number;
};

/** What is wrong with a provider: an answer of its own making, or none. */
export type Fault = (response: ServerResponse) => void;

export type ChatRequest = {
  model: string;
  messages: {
    role: string;
    content?: unknown;
    tool_calls?: unknown[];
    tool_call_id?: string;
    reasoning_content?: string;
  }[];
  tools?: { function: { name: string } }[];
  max_tokens?: number;
  temperature?: number;
  stream?: boolean;
};

type Script = (request: ChatRequest, call: number) => Turn | Fault;

/**
 * A model provider over real HTTP that speaks chat completions, streamed and whole. It says what
 * the script tells it to.
 */
export async function modelProvider(script: Script, listed: readonly string[] | Fault = ['large']) {
  const requests: ChatRequest[] = [];
  const keys: (string | undefined)[] = [];
  let play = script;
  let gone = 0;
  let lists = 0;
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === 'GET' && request.url === '/v1/models') {
      lists += 1;
      keys.push(request.headers.authorization);
      if (typeof listed === 'function') return listed(response);
      response.end(
        JSON.stringify({
          object: 'list',
          data: listed.map((id) => ({ id, object: 'model', created: 1, owned_by: 'test' })),
        }),
      );
      return;
    }
    const asked: ChatRequest = JSON.parse(Buffer.concat(chunks).toString());
    requests.push(asked);
    keys.push(request.headers.authorization);
    response.on('close', () => {
      if (!response.writableFinished) gone += 1;
    });
    const turn = play(asked, requests.length);
    if (typeof turn === 'function') return turn(response);
    if (turn.afterMs) await pause(turn.afterMs);
    if (asked.stream) stream(response, asked.model, turn);
    else response.end(JSON.stringify(whole(asked.model, turn)));
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the provider has no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    requests,
    keys,
    /** Answers that somebody did not wait for. */
    gone: () => gone,
    /** How often somebody asked for the list of models. */
    lists: () => lists,
    now(next: Script) {
      play = next;
      requests.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type ModelProvider = Awaited<ReturnType<typeof modelProvider>>;

let calls = 0;
const toolCallsOf = ({ toolCalls = [] }: Turn) =>
  toolCalls.map(({ name, input }, index) => {
    calls += 1;
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    return { index, id: `call-${calls}`, type: 'function', function: { name, arguments: text } };
  });

const finishOf = ({ toolCalls = [], finish }: Turn) =>
  finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');
const usual = { prompt_tokens: 10, completion_tokens: 5 };
const usageOf = ({ usage = usual }: Turn) =>
  usage ? { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } : undefined;

const whole = (model: string, turn: Turn) => ({
  id: 'chat-1',
  object: 'chat.completion',
  created: 1,
  model,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: turn.text ?? null,
        reasoning_content: turn.reasoning,
        tool_calls: toolCallsOf(turn),
      },
      finish_reason: finishOf(turn),
    },
  ],
  usage: usageOf(turn),
});

/** One piece of a streamed answer. */
export const chunkOf = (
  model: string,
  delta: object,
  finish: string | null = null,
  usage?: object,
) =>
  `data: ${JSON.stringify({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason: finish }], ...(usage && { usage }) })}\n\n`;

function stream(response: ServerResponse, model: string, turn: Turn): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const write = (delta: object, finish?: string) =>
    response.write(chunkOf(model, delta, finish ?? null, finish ? usageOf(turn) : undefined));
  write({ role: 'assistant', content: '' });
  for (const piece of turn.reasoning?.match(/.{1,7}/gs) ?? []) write({ reasoning_content: piece });
  for (const piece of turn.text?.match(/.{1,5}/gs) ?? []) write({ content: piece });
  for (const call of toolCallsOf(turn)) {
    const { name, arguments: text } = call.function;
    write({ tool_calls: [{ ...call, function: { name, arguments: text.slice(0, 4) } }] });
    write({ tool_calls: [{ index: call.index, function: { arguments: text.slice(4) } }] });
  }
  write({}, finishOf(turn));
  response.end('data: [DONE]\n\n');
}
