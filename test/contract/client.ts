import { setTimeout as sleep } from 'node:timers/promises';
import { Answer } from './answer.ts';

export type SendOptions = {
  /** The key to show; null shows none. */
  key?: string | null;
  json?: unknown;
  body?: BodyInit;
  headers?: Record<string, string>;
  /** Takes a 429 as the answer, where any other request waits and is sent again. */
  keeps429?: boolean;
};

export type Sent = {
  method: string;
  path: string;
  key: string | null;
  headers: Readonly<Record<string, string>>;
};
export type Send = (method: string, path: string, options?: SendOptions) => Promise<Answer>;

type ClientParts = {
  url: string;
  /** Requests a minute with one key; absent: as many as the deployment lets through. */
  pace?: number | undefined;
  observe: (sent: Sent, answer: Answer) => void;
  note: (line: string) => void;
};

const attemptsMax = 4;
const requestTimeoutMs = 180_000;

/**
 * Sends requests over real sockets with Node's fetch, one after another for each key, and waits
 * where a limit is reached.
 */
export function createSend({ url, pace, observe, note }: ClientParts): Send {
  const nextAt = new Map<string, number>();

  async function takeTurn(key: string): Promise<void> {
    if (pace === undefined) return;
    const at = Math.max(Date.now(), nextAt.get(key) ?? 0);
    nextAt.set(key, at + 60_000 / pace);
    await sleep(at - Date.now());
  }

  return async (method, path, { key = null, json, body, headers = {}, keeps429 = false } = {}) => {
    const sent: Sent = {
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
      await takeTurn(key ?? '');
      const answer = await fetchAnswer(url, {
        method,
        path,
        headers: sent.headers,
        ...(content === undefined ? {} : { body: content }),
      });
      observe(sent, answer);
      if (answer.status !== 429 || keeps429 || attempt === attemptsMax) return answer;
      const seconds = answer.integerHeader('retry-after');
      if (!(seconds <= 120)) return answer;
      note(`${method} ${path}: 429, waiting ${seconds} s`);
      await sleep(seconds * 1000 + 50);
    }
  };
}

/** One request over a real socket. */
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

/** The calls of one key. */
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
    under: (more: string) => apiWith(send, key, prefix + more),
  };
}

export type Api = ReturnType<typeof apiWith>;
