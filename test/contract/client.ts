import { setTimeout as sleep } from 'node:timers/promises';
import { Answer } from './answer.ts';

export type SendOptions = {
  /** The API key; null sends none. */
  key?: string | null;
  json?: unknown;
  body?: BodyInit;
  headers?: Record<string, string>;
  /** Returns a 429. Without this option the client waits and sends the request again. */
  returns429?: boolean;
};

export type SentRequest = {
  method: string;
  path: string;
  key: string | null;
  headers: Readonly<Record<string, string>>;
};
export type Send = (method: string, path: string, options?: SendOptions) => Promise<Answer>;

type ClientOptions = {
  url: string;
  /** Requests per minute with one key; undefined: as many as the deployment allows. */
  pace?: number | undefined;
  onResponse: (request: SentRequest, answer: Answer) => void;
  note: (line: string) => void;
};

const attemptsMax = 4;
const requestTimeoutMs = 180_000;

/**
 * Creates a client that sends requests over real sockets with Node's fetch. Without `pace` it sends
 * at once; a request that gets 429 waits and is sent again.
 */
export function createSend({ url, pace, onResponse, note }: ClientOptions): Send {
  const nextAt = new Map<string, number>();

  async function waitForTurn(key: string): Promise<void> {
    if (pace === undefined) return;
    const at = Math.max(Date.now(), nextAt.get(key) ?? 0);
    nextAt.set(key, at + 60_000 / pace);
    await sleep(at - Date.now());
  }

  return async (
    method,
    path,
    { key = null, json, body, headers = {}, returns429 = false } = {},
  ) => {
    const request: SentRequest = {
      method,
      path,
      key,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    };
    const content = json === undefined ? body : JSON.stringify(json);
    for (let attempt = 1; ; attempt += 1) {
      await waitForTurn(key ?? '');
      const answer = await fetchAnswer(url, {
        method,
        path,
        headers: request.headers,
        ...(content === undefined ? {} : { body: content }),
      });
      onResponse(request, answer);
      if (answer.status !== 429 || returns429 || attempt === attemptsMax) return answer;
      const seconds = answer.integerHeader('retry-after');
      if (!(seconds <= 120)) return answer;
      note(`${method} ${path}: 429, waiting ${seconds} s`);
      await sleep(seconds * 1000 + 50);
    }
  };
}

/** Sends one request over a real socket. */
export async function fetchAnswer(
  url: string,
  {
    method,
    path,
    headers = {},
    body,
  }: { method: string; path: string; headers?: Readonly<Record<string, string>>; body?: BodyInit },
): Promise<Answer> {
  const signal = AbortSignal.timeout(requestTimeoutMs);
  const response = await fetch(url + path, {
    method,
    headers,
    redirect: 'manual',
    signal,
    ...(body === undefined ? {} : { body }),
  });
  const request = `${method} ${path.slice(0, 200)}${typeof body === 'string' ? ` ${body.slice(0, 200)}` : ''}`;
  return new Answer({
    request,
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  });
}

/** The calls with one API key. */
export function apiWith(send: Send, key: string, prefix = '') {
  const call =
    (method: string) =>
    (path: string, json?: unknown, options: SendOptions = {}) =>
      send(method, prefix + path, { key, ...(json === undefined ? {} : { json }), ...options });
  return {
    key,
    get: (path: string, options: SendOptions = {}) =>
      send('GET', prefix + path, { key, ...options }),
    post: call('POST'),
    put: call('PUT'),
    patch: call('PATCH'),
    delete: (path: string, options: SendOptions = {}) =>
      send('DELETE', prefix + path, { key, ...options }),
    send: (method: string, path: string, options: SendOptions = {}) =>
      send(method, prefix + path, { key, ...options }),
    graph: (query: string, variables: Record<string, unknown> = {}, options: SendOptions = {}) =>
      send('POST', '/graphql', { key, json: { query, variables }, ...options }),
    under: (path: string) => apiWith(send, key, prefix + path),
  };
}

export type Api = ReturnType<typeof apiWith>;
