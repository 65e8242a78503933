import { setTimeout as pause } from 'node:timers/promises';

/** Nobody knows what became of the request: its connection broke, or it was told to come again. */
export class Unanswered extends Error {}

export type Asked = {
  method: string;
  path: string;
  key?: string;
  cookie?: string;
  json?: unknown;
  form?: () => FormData;
  again?: string;
};
export type Told = {
  status: number;
  text: string;
  body: Record<string, unknown>;
  headers: Headers;
};

/** Where the program listens now; every life of it has another address. */
export type Line = { address: string };

/** Sends a request once. `again` is its Idempotency-Key. */
export async function ask(
  { address }: Line,
  { method, path, key, cookie, json, form, again }: Asked,
): Promise<Told> {
  const headers: Record<string, string> = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(cookie === undefined ? {} : { cookie }),
    ...(path.startsWith('/auth/') ? { origin: address } : {}),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(again === undefined ? {} : { 'idempotency-key': again }),
  };
  const body = json === undefined ? form?.() : JSON.stringify(json);
  try {
    const response = await fetch(address + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return told(response.status, await response.text(), response.headers);
  } catch (error) {
    throw new Unanswered(path, { cause: error });
  }
}

/** As a client does that heeds Retry-After; a 503 leaves open what was done. */
export async function persist(line: Line, asked: Asked): Promise<Told> {
  for (;;) {
    const answer = await ask(line, asked);
    if (isAway(answer)) throw new Unanswered(`${asked.path} ${answer.status}`);
    if (answer.status !== 409 || !answer.text.includes('still running')) return answer;
    await pause(1_000);
  }
}

export function graphFaultOf({
  body,
}: Told): { message: string; code: string | undefined } | undefined {
  const [fault] = Array.isArray(body['errors']) ? body['errors'] : [];
  return fault === undefined
    ? undefined
    : { message: String(fault.message), code: fault.extensions?.code };
}

/** The data of a GraphQL answer; anything else is thrown. */
export async function graph(
  line: Line,
  key: string,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const answer = await persist(line, {
    method: 'POST',
    path: '/graphql',
    key,
    json: { query, variables },
  });
  if (answer.status !== 200 || answer.body['errors'] !== undefined)
    throw new Error(`the graph answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  return Object(answer.body['data']);
}

const isAway = (answer: Told) =>
  answer.status === 503 || graphFaultOf(answer)?.code === 'UNAVAILABLE';

function told(status: number, text: string, headers: Headers): Told {
  try {
    return { status, text, headers, body: Object(JSON.parse(text)) };
  } catch {
    return { status, text, headers, body: {} };
  }
}
