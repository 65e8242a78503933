import type { Book } from './book.ts';

type Call = {
  kind: string;
  method?: string;
  path: string;
  key?: string;
  json?: unknown;
  body?: BodyInit;
  headers?: Record<string, string>;
  expect?: readonly number[];
  /** Takes work that is no matter of the door: its time is not looked at. */
  heavy?: boolean;
};

export type Caller = (call: Call) => Promise<Answer>;
export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  at(...path: (string | number)[]): string;
};

/** Calls a server and writes down what came of it. */
export const callerOf =
  (origin: string, book: Book): Caller =>
  async ({
    kind,
    method = 'GET',
    path,
    key,
    json,
    body,
    headers = {},
    expect = [200],
    heavy = false,
  }) => {
    const startedAt = performance.now();
    const sent = json === undefined ? body : JSON.stringify(json);
    const response = await fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    book.note(kind, response.status, expect, heavy ? undefined : performance.now() - startedAt);
    return {
      status: response.status,
      headers: response.headers,
      text,
      at: (...path) => at(text, path),
    };
  };

/** The text or number that stands there in a JSON body; an empty one where there is none. */
function at(text: string, path: (string | number)[]): string {
  try {
    return String(path.reduce((inner, step) => Object(inner)[step], JSON.parse(text)) ?? '');
  } catch {
    return '';
  }
}
