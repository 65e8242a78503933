import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** One turn of the model: text, reasoning, and tool calls. */
export type ModelTurn = {
  text?: string;
  reasoning?: string;
  toolCalls?: { name: string; input: unknown }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  /** The finish reason, if it differs from the default. */
  finish?: 'stop' | 'length' | 'content_filter';
  /** The delay before the response starts. */
  afterMs?: number;
};

/** Writes a faulty response. */
export type FaultyResponse = (response: ServerResponse) => void;

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
  response_format?: unknown;
};

type ProviderScript = (request: ChatRequest, call: number) => ModelTurn | FaultyResponse;

/**
 * A model provider over HTTP that supports chat completions, streamed and complete. It responds as
 * the script says.
 */
export async function modelProvider(
  script: ProviderScript,
  models: readonly string[] | FaultyResponse = ['large'],
) {
  const requests: ChatRequest[] = [];
  const keys: (string | undefined)[] = [];
  const traces: { traceparent: unknown; tracestate: unknown }[] = [];
  let currentScript = script;
  let abandonedCount = 0;
  let listRequests = 0;
  let refusesTitles = false;
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === 'GET' && request.url === '/v1/models') {
      listRequests += 1;
      keys.push(request.headers.authorization);
      if (typeof models === 'function') return models(response);
      response.end(
        JSON.stringify({
          object: 'list',
          data: models.map((id) => ({ id, object: 'model', created: 1, owned_by: 'test' })),
        }),
      );
      return;
    }
    const chatRequest: ChatRequest = JSON.parse(Buffer.concat(chunks).toString());
    if (refusesTitles && isTitleRequest(chatRequest)) {
      response.writeHead(400).end();
      return;
    }
    requests.push(chatRequest);
    keys.push(request.headers.authorization);
    const { traceparent, tracestate } = request.headers;
    traces.push({ traceparent, tracestate });
    response.on('close', () => {
      if (!response.writableFinished) abandonedCount += 1;
    });
    const turn = currentScript(chatRequest, requests.length);
    if (typeof turn === 'function') return turn(response);
    if (turn.afterMs) await pause(turn.afterMs);
    if (chatRequest.stream) stream(response, chatRequest.model, turn);
    else response.end(JSON.stringify(completeResponse(chatRequest.model, turn)));
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the provider has no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    requests,
    keys,
    /** The trace headers of each request. */
    traces,
    /** The number of responses whose client disconnected. */
    abandonedCount: () => abandonedCount,
    /** The number of requests for the list of models. */
    listRequests: () => listRequests,
    /** From now on conversations keep their questions as titles. The script gets no such request. */
    refuseTitles() {
      refusesTitles = true;
    },
    now(next: ProviderScript) {
      currentScript = next;
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

/** Whether the request asks for the title of a conversation. */
const isTitleRequest = ({ messages }: ChatRequest): boolean =>
  JSON.stringify(messages[0]).includes('Write a title');

let calls = 0;
const toolCallsOf = ({ toolCalls = [] }: ModelTurn) =>
  toolCalls.map(({ name, input }, index) => {
    calls += 1;
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    return { index, id: `call-${calls}`, type: 'function', function: { name, arguments: text } };
  });

const finishOf = ({ toolCalls = [], finish }: ModelTurn) =>
  finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');
const defaultUsage = { prompt_tokens: 10, completion_tokens: 5 };
const usageOf = ({ usage = defaultUsage }: ModelTurn) =>
  usage ? { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } : undefined;

export const completeResponse = (model: string, turn: ModelTurn) => ({
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

/** One chunk of a streamed response. */
export const chunkOf = (
  model: string,
  delta: object,
  finish: string | null = null,
  usage?: object,
) =>
  `data: ${JSON.stringify({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason: finish }], ...(usage && { usage }) })}\n\n`;

function stream(response: ServerResponse, model: string, turn: ModelTurn): void {
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
