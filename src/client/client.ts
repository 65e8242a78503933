import { AtriumError } from './atrium-error.ts';
import {
  buildRequest,
  type CallInput,
  type RequestBody,
  type UploadProgress,
  withProgress,
} from './build-request.ts';
import {
  type CallRoute,
  type Calls,
  callRoutes,
  type StartRunResponse,
} from './documented-calls.ts';
import { itemsOfPages } from './pages.ts';
import { isTemporary, pause, retryDelaySeconds } from './retry.ts';
import { type DurableRunEvent, followEvents, type RunEvent, readEvents } from './run-events.ts';

export type * from './documented-calls.ts';
export type { DurableRunEvent, RunEvent, UploadProgress };
export { AtriumError };

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
  /** Cancels the call, also while it waits for a retry. */
  signal?: AbortSignal;
  /**
   * The Idempotency-Key of this call: calls with the same key are executed once. The default is a
   * random UUID, which all retries of the call share.
   */
  idempotencyKey?: string;
  /** Executes the call only if the resource still has this entity tag. */
  ifMatch?: string;
  /**
   * Executes a write as a rehearsal (`Prefer: dry-run`): the answer is that of the real call, and
   * nothing is changed.
   */
  dryRun?: boolean;
  /** The range of the file's content to download, such as bytes=0-99. */
  range?: string;
  /** Is told how much of the body has been sent. A retry begins again at 0. */
  onUploadProgress?: (progress: UploadProgress) => void;
};

type Call<Name extends keyof Calls> = (
  ...parameters: Record<never, never> extends Calls[Name]['input']
    ? [input?: Calls[Name]['input'], options?: CallOptions]
    : [input: Calls[Name]['input'], options?: CallOptions]
) => Promise<Calls[Name]['answer']>;

type AllItems<Name extends keyof Calls> = Calls[Name] extends { item: infer Item }
  ? {
      /** All items of all pages. A page is requested when the one before it has been read. */
      all(
        ...parameters: Record<never, never> extends Calls[Name]['input']
          ? [input?: Omit<Calls[Name]['input'], 'page'>, options?: Pick<CallOptions, 'signal'>]
          : [input: Omit<Calls[Name]['input'], 'page'>, options?: Pick<CallOptions, 'signal'>]
      ): AsyncGenerator<Item>;
    }
  : unknown;

/**
 * A method for each call of the API. Its input is one object with all parameters and fields. It
 * resolves to the body of the success, and rejects with an AtriumError for every other response.
 */
export type Client = { [Name in keyof Calls]: Call<Name> & AllItems<Name> } & {
  /**
   * The events of a run while it happens. The last event, done, has the response of runAssistant.
   */
  streamAssistant(
    input: Calls['runAssistant']['input'],
    options?: Pick<CallOptions, 'signal' | 'dryRun' | 'onUploadProgress'>,
  ): AsyncGenerator<RunEvent>;
  /** Starts a durable run, which goes on without its caller. `getRun` and `followRun` read it. */
  startRun(
    input: Calls['runAssistant']['input'],
    options?: Pick<CallOptions, 'signal' | 'idempotencyKey' | 'onUploadProgress'>,
  ): Promise<StartRunResponse>;
  /**
   * The events of a durable run until it ends. A broken connection is opened again after the last
   * event, as often as `retries` allows without an event in between.
   */
  followRun(
    input: Calls['getRunEvents']['input'],
    options?: Pick<CallOptions, 'signal'>,
  ): AsyncGenerator<DurableRunEvent>;
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
    accept: string = route.returnsFile ? '*/*' : json,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const { url, body } = buildRequest(route, input);
    // An event stream cannot be repeated, so it gets no Idempotency-Key.
    const hasIdempotencyKey = route.takesIdempotencyKey && accept !== eventStream;
    const headers = new Headers({ authorization: `Bearer ${apiKey}`, accept, ...more });
    const setHeader = (name: string, value: string | undefined) => {
      if (value !== undefined) headers.set(name, value);
    };
    setHeader('content-type', body?.type);
    setHeader('if-match', options.ifMatch);
    setHeader('range', options.range);
    if (options.dryRun === true && route.method !== 'GET') setHeader('prefer', 'dry-run');
    if (hasIdempotencyKey)
      setHeader('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
    const isRepeatable = hasIdempotencyKey || route.method === 'GET';
    for (let retry = 0; ; retry += 1) {
      const request = new Request(origin + url, {
        method: route.method,
        headers,
        ...bodyOf(body, options),
        ...(options.signal && { signal: options.signal }),
      });
      const answer = await send(request)
        .then((response) => (response.ok && accept !== json ? response : receiveAll(response)))
        .catch((error: unknown) => {
          if (!isRepeatable || retry >= retries || options.signal?.aborted) throw error;
        });
      if (answer?.ok) return answer;
      const error = answer && (await AtriumError.of(answer));
      if (error && (retry >= retries || !isTemporary(error, isRepeatable))) throw error;
      await pause(retryDelaySeconds(retry, error?.retryAfterSeconds ?? null), options.signal);
    }
  }

  function createCall(route: CallRoute) {
    const callOnce = async (input: CallInput = {}, options: CallOptions = {}) => {
      const answer = await call(route, input, options);
      return route.returnsFile ? answer : answer.json();
    };
    if (route.items === null) return callOnce;
    const { items } = route;
    const all = (input: CallInput = {}, options: CallOptions = {}) =>
      itemsOfPages(items, input, async (pageInput) => {
        const answer = await call(route, pageInput, options);
        return { body: Object(await answer.json()), headers: answer.headers };
      });
    return Object.assign(callOnce, { all });
  }

  async function* streamAssistant(
    input: CallInput,
    options: CallOptions = {},
  ): AsyncGenerator<RunEvent> {
    yield* readEvents(await call(callRoutes.runAssistant, input, options, eventStream));
  }
  const startRun = async (input: CallInput, options: CallOptions = {}) => {
    const prefer = { prefer: 'respond-async' };
    return (await call(callRoutes.runAssistant, input, options, json, prefer)).json();
  };
  const followRun = (input: CallInput, options: CallOptions = {}) =>
    followEvents(
      (lastEventId) =>
        call(callRoutes.getRunEvents, input, options, eventStream, {
          ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        }),
      async (attempts, cause) => {
        if (attempts >= retries || options.signal?.aborted) throw cause;
        await pause(retryDelaySeconds(attempts, null), options.signal);
      },
    );
  const exportRedemptions = async ({ format, ...input }: CallInput, options: CallOptions = {}) =>
    call(callRoutes.listRedemptions, input, options, format === 'csv' ? 'text/csv' : rowsOfJson);
  // The types and the routes of the calls are generated from the same OpenAPI document.
  return {
    ...Object.fromEntries(
      Object.entries(callRoutes).map(([name, route]) => [name, createCall(route)]),
    ),
    streamAssistant,
    startRun,
    followRun,
    exportRedemptions,
  } as unknown as Client;
}

const json = 'application/json';
const eventStream = 'text/event-stream';
const rowsOfJson = 'application/x-ndjson';

/** Receives the whole body, so that a connection that breaks meanwhile leads to a retry. */
async function receiveAll(response: Response): Promise<Response> {
  const body = await response.arrayBuffer();
  return new Response(body.byteLength > 0 ? body : null, response);
}

function bodyOf(body: RequestBody | undefined, { onUploadProgress }: CallOptions): RequestInit {
  if (body === undefined) return {};
  if (onUploadProgress === undefined) return { body: body.content };
  // https://fetch.spec.whatwg.org/#dom-requestinit-duplex
  const streaming: RequestInit & { duplex: 'half' } = {
    body: withProgress(body.content, onUploadProgress),
    duplex: 'half',
  };
  return streaming;
}
