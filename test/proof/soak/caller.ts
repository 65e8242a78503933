import type { TrafficRecord } from './traffic-record.ts';

type CallInput = {
  kind: string;
  method?: string;
  path: string;
  key?: string;
  json?: unknown;
  body?: BodyInit;
  headers?: Record<string, string>;
  expect?: readonly number[];
  /** True for calls with expensive work; their time is not recorded. */
  heavy?: boolean;
};

export type SendCall = (call: CallInput) => Promise<CallAnswer>;
export type CallAnswer = {
  status: number;
  headers: Headers;
  text: string;
  valueAt(...path: (string | number)[]): string;
};

/** Sends calls to a server and records their outcome. */
export const createCaller =
  (origin: string, record: TrafficRecord): SendCall =>
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
    const requestBody = json === undefined ? body : JSON.stringify(json);
    const response = await fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(requestBody === undefined ? {} : { body: requestBody }),
    });
    const text = await response.text();
    record.recordAnswer(
      kind,
      response.status,
      expect,
      heavy ? undefined : performance.now() - startedAt,
    );
    return {
      status: response.status,
      headers: response.headers,
      text,
      valueAt: (...path) => valueAt(text, path),
    };
  };

/** The value at this path of a JSON body as text; empty when it is missing. */
function valueAt(text: string, path: (string | number)[]): string {
  try {
    return String(path.reduce((inner, step) => Object(inner)[step], JSON.parse(text)) ?? '');
  } catch {
    return '';
  }
}
