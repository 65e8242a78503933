import { setTimeout as pause } from 'node:timers/promises';

type RequestInput = {
  method?: string;
  key?: string;
  cookie?: string;
  json?: unknown;
  headers?: Record<string, string>;
  body?: BodyInit;
};
export type HttpAnswer = {
  status: number;
  text: string;
  body: Record<string, unknown>;
  cookies: string;
};

/**
 * Uses a new connection for each request, so that the forwarder spreads them over both processes.
 */
export async function sendRequest(
  address: string,
  path: string,
  { method = 'GET', key, cookie, json, headers, body }: RequestInput = {},
): Promise<HttpAnswer> {
  const response = await fetch(address + path, {
    method,
    headers: {
      connection: 'close',
      ...(key && { authorization: `Bearer ${key}` }),
      ...(cookie && { cookie }),
      ...(path.startsWith('/auth/') && { origin: address }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined ? { body } : {}),
  });
  const text = await response.text();
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
  return { status: response.status, text, body: parseObject(text), cookies: cookies.join('; ') };
}

export const graph = (
  address: string,
  credentials: { key: string } | { cookie: string },
  query: string,
  variables = {},
) =>
  sendRequest(address, '/graphql', { method: 'POST', ...credentials, json: { query, variables } });

/** The milliseconds until the condition holds; Infinity when it does not within `msMax`. */
export async function msUntil(isTrue: () => Promise<boolean>, msMax: number): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const passedMs = performance.now() - startedAt;
    if (await isTrue()) return passedMs;
    if (passedMs > msMax) return Number.POSITIVE_INFINITY;
    await pause(20);
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
