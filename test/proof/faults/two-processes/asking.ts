import { setTimeout as pause } from 'node:timers/promises';

type Request = {
  method?: string;
  key?: string;
  cookie?: string;
  json?: unknown;
  headers?: Record<string, string>;
  body?: BodyInit;
};
export type Answer = {
  status: number;
  text: string;
  body: Record<string, unknown>;
  cookies: string;
};

/** On a connection of its own, so that one port before two programs leads to both. */
export async function ask(
  address: string,
  path: string,
  { method = 'GET', key, cookie, json, headers, body }: Request = {},
): Promise<Answer> {
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
  return { status: response.status, text, body: objectIn(text), cookies: cookies.join('; ') };
}

export const graph = (
  address: string,
  who: { key: string } | { cookie: string },
  query: string,
  variables = {},
) => ask(address, '/graphql', { method: 'POST', ...who, json: { query, variables } });

/** Milliseconds until it is so; more than the most where it never was. */
export async function msUntil(isSo: () => Promise<boolean>, mostMs: number): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const passedMs = performance.now() - startedAt;
    if (await isSo()) return passedMs;
    if (passedMs > mostMs) return Number.POSITIVE_INFINITY;
    await pause(20);
  }
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
