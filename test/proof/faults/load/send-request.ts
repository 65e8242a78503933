import { setTimeout as pause } from 'node:timers/promises';

/** The outcome of a request is unknown: its connection broke, or the answer was 503. */
export class Unanswered extends Error {}

export type ApiRequest = {
  method: string;
  path: string;
  key?: string;
  cookie?: string;
  json?: unknown;
  form?: () => FormData;
  idempotencyKey?: string;
};
export type ApiAnswer = {
  status: number;
  text: string;
  body: Record<string, unknown>;
  headers: Headers;
};

/** The address of the running server. Each start has another port. */
export type ServerAddress = { address: string };

/** Sends a request once. */
export async function sendRequest(
  { address }: ServerAddress,
  { method, path, key, cookie, json, form, idempotencyKey }: ApiRequest,
): Promise<ApiAnswer> {
  const headers: Record<string, string> = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(cookie === undefined ? {} : { cookie }),
    ...(path.startsWith('/auth/') ? { origin: address } : {}),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
  const body = json === undefined ? form?.() : JSON.stringify(json);
  try {
    const response = await fetch(address + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return toApiAnswer(response.status, await response.text(), response.headers);
  } catch (error) {
    throw new Unanswered(path, { cause: error });
  }
}

/**
 * Repeats a request while another process still runs it (409). A 503 leaves open whether the
 * request was done.
 */
export async function sendUntilDone(
  server: ServerAddress,
  request: ApiRequest,
): Promise<ApiAnswer> {
  for (;;) {
    const answer = await sendRequest(server, request);
    if (isUnavailable(answer)) throw new Unanswered(`${request.path} ${answer.status}`);
    if (answer.status !== 409 || !answer.text.includes('still running')) return answer;
    await pause(1_000);
  }
}

export function graphErrorOf({
  body,
}: ApiAnswer): { message: string; code: string | undefined } | undefined {
  const [error] = Array.isArray(body['errors']) ? body['errors'] : [];
  return error === undefined
    ? undefined
    : { message: String(error.message), code: error.extensions?.code };
}

/** Returns the data of a GraphQL answer, and throws on errors. */
export async function graph(
  server: ServerAddress,
  key: string,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const answer = await sendUntilDone(server, {
    method: 'POST',
    path: '/graphql',
    key,
    json: { query, variables },
  });
  if (answer.status !== 200 || answer.body['errors'] !== undefined)
    throw new Error(`GraphQL answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  return Object(answer.body['data']);
}

const isUnavailable = (answer: ApiAnswer) =>
  answer.status === 503 || graphErrorOf(answer)?.code === 'UNAVAILABLE';

function toApiAnswer(status: number, text: string, headers: Headers): ApiAnswer {
  try {
    return { status, text, headers, body: Object(JSON.parse(text)) };
  } catch {
    return { status, text, headers, body: {} };
  }
}
