import { AtriumError } from './atrium-error.ts';
import { type CallRoute, type Calls, callRoutes } from './documented-calls.ts';
import { type RunEvent, readEvents } from './run-events.ts';

export type ClientOptions = {
  /** The origin of Atrium, such as https://atrium.example.com. */
  baseUrl: string;
  /**
   * The API key: a user key for assistants and their files, an organization key for users, teams
   * and sponsorship.
   */
  apiKey: string;
  /**
   * How often a call is retried after a temporary error: 429, 503, or a broken connection. The
   * default is 2.
   */
  retries?: number;
  /** The function that sends requests; the default is the platform's `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
};

export type CallOptions = {
  signal?: AbortSignal;
  /**
   * The Idempotency-Key of this call: calls with the same key are executed once. The default is a
   * random UUID.
   */
  idempotencyKey?: string;
  /** Executes the call only if the file still has this entity tag. */
  ifMatch?: string;
  /** The range of the file's content to download, such as bytes=0-99. */
  range?: string;
};

/**
 * A method for each call of the API. Its input is one object with all parameters and fields. It
 * resolves to the body of the success, and rejects with an AtriumError for every other response.
 */
export type Client = {
  [Name in keyof Calls]: (
    ...parameters: Record<never, never> extends Calls[Name]['input']
      ? [input?: Calls[Name]['input'], options?: CallOptions]
      : [input: Calls[Name]['input'], options?: CallOptions]
  ) => Promise<Calls[Name]['answer']>;
} & {
  /**
   * The events of a run while it happens. The last event, done, has the response of runAssistant.
   */
  streamAssistant(
    input: Calls['runAssistant']['input'],
    options?: Pick<CallOptions, 'signal'>,
  ): AsyncGenerator<RunEvent>;
  /**
   * All redemptions of a campaign as rows, newest first. The body of the response is a stream; it
   * fails if the connection ends before the last row.
   */
  exportRedemptions(
    input: Pick<Calls['listRedemptions']['input'], 'campaignId' | 'billingStatus'> & {
      format: 'csv' | 'ndjson';
    },
    options?: Pick<CallOptions, 'signal'>,
  ): Promise<Response>;
};

// A call that would have to wait longer, such as for a limit per hour, fails at once.
const waitSecondsMax = 120;

type CallInput = Readonly<Record<string, unknown>>;

export function createClient({
  baseUrl,
  apiKey,
  retries = 2,
  fetch: send = (request) => fetch(request),
}: ClientOptions): Client {
  const origin = baseUrl.replace(/\/+$/, '');

  async function call(
    route: CallRoute,
    input: CallInput,
    options: CallOptions,
    accept: string,
  ): Promise<Response> {
    const { url, body } = buildRequest(route, input);
    const headers = new Headers({ authorization: `Bearer ${apiKey}`, accept });
    if (typeof body === 'string') headers.set('content-type', 'application/json');
    // An event stream cannot be repeated, so it gets no Idempotency-Key.
    const hasIdempotencyKey = route.takesIdempotencyKey && accept !== eventStream;
    if (hasIdempotencyKey)
      headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
    if (options.ifMatch !== undefined) headers.set('if-match', options.ifMatch);
    if (options.range !== undefined) headers.set('range', options.range);
    const isRepeatable = hasIdempotencyKey || route.method === 'GET';
    for (let retriesLeft = retries; ; retriesLeft -= 1) {
      const request = new Request(origin + url, {
        method: route.method,
        headers,
        ...(body !== undefined && { body }),
        ...(options.signal && { signal: options.signal }),
      });
      const answer = await send(request).catch((error: unknown) => {
        if (!isRepeatable || retriesLeft <= 0 || options.signal?.aborted) throw error;
      });
      if (answer?.ok) return answer;
      const error = answer && (await AtriumError.of(answer));
      // A call with status 429 was not executed, so every call can be retried then.
      const isShortWait = (error?.retryAfterSeconds ?? 0) <= waitSecondsMax;
      const isTemporary =
        (error?.status === 429 && isShortWait) ||
        (isRepeatable &&
          (error?.status === 503 || (error?.status === 409 && error.retryAfterSeconds !== null)));
      if (error && (!isTemporary || retriesLeft <= 0)) throw error;
      await pause(error?.retryAfterSeconds ?? 2 ** (retries - retriesLeft), options.signal);
    }
  }

  const createCall =
    (route: CallRoute) =>
    async (input: CallInput = {}, options: CallOptions = {}) => {
      const answer = await call(
        route,
        input,
        options,
        route.returnsFile ? '*/*' : 'application/json',
      );
      return route.returnsFile ? answer : answer.json();
    };
  async function* streamAssistant(
    input: CallInput,
    options: CallOptions = {},
  ): AsyncGenerator<RunEvent> {
    yield* readEvents(await call(callRoutes.runAssistant, input, options, eventStream));
  }
  const exportRedemptions = async ({ format, ...input }: CallInput, options: CallOptions = {}) =>
    call(callRoutes.listRedemptions, input, options, format === 'csv' ? 'text/csv' : rowsOfJson);
  // The types and the routes of the calls are generated from the same OpenAPI document.
  return {
    ...Object.fromEntries(
      Object.entries(callRoutes).map(([name, route]) => [name, createCall(route)]),
    ),
    streamAssistant,
    exportRedemptions,
  } as unknown as Client;
}

const eventStream = 'text/event-stream';
const rowsOfJson = 'application/x-ndjson';

/**
 * Builds the URL and the body: the parameters of the path and of the query come from the input, the
 * remaining fields are the body. The body is a form if the input has a file.
 */
function buildRequest(
  { method, path, query, files }: CallRoute,
  input: CallInput,
): { url: string; body: string | FormData | undefined } {
  const fields = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const takeField = (name: string) => {
    const value = fields.get(name);
    fields.delete(name);
    return value;
  };
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(takeField(name))),
  );
  const search = new URLSearchParams(
    query
      .filter((name) => fields.has(name))
      .map((name): [string, string] => [name, String(takeField(name))]),
  );
  const url = search.size > 0 ? `${filledPath}?${search}` : filledPath;
  if (method === 'GET' || method === 'DELETE') return { url, body: undefined };
  return {
    url,
    body: files.some((name) => fields.has(name))
      ? toForm(fields, files)
      : JSON.stringify(Object.fromEntries(fields)),
  };
}

function toForm(fields: ReadonlyMap<string, unknown>, files: readonly string[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (!files.includes(name)) form.append(name, JSON.stringify(value));
    else for (const file of [value].flat()) form.append(name, ...toFormPart(file));
  }
  return form;
}

function toFormPart(file: unknown): [Blob, string] {
  if (file instanceof File) return [file, file.name];
  const { name, content } = Object(file);
  return [content, name];
}

function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}
