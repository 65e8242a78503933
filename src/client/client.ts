import { AtriumError } from './atrium-error.ts';
import { type Calls, type Places, places } from './documented-calls.ts';
import { type RunEvent, readEvents } from './run-events.ts';

export type ClientOptions = {
  /** Where Atrium is, such as https://atrium.example.com. */
  baseUrl: string;
  /**
   * A user key for assistants and their files, an organization key for users, teams and
   * sponsorship.
   */
  apiKey: string;
  /**
   * How often a call is sent again that was refused for now: 429, 503, a connection that broke. 2
   * where nothing is said.
   */
  retries?: number;
  /** What sends; the platform's own where nothing is said. */
  fetch?: (request: Request) => Promise<Response>;
};

export type CallOptions = {
  signal?: AbortSignal;
  /**
   * A name of your own for this call, under which it is done once; where a call takes one and none
   * is given, one is made.
   */
  idempotencyKey?: string;
  /** Only if the file is still the one with this tag. */
  ifMatch?: string;
  /** The part of a file's content that is wanted, such as bytes=0-99. */
  range?: string;
};

/**
 * Each call by its name: everything that it takes goes into one object, a success is what it
 * resolves to, all else an AtriumError.
 */
export type Client = {
  [Name in keyof Calls]: (
    ...given: Record<never, never> extends Calls[Name]['input']
      ? [input?: Calls[Name]['input'], options?: CallOptions]
      : [input: Calls[Name]['input'], options?: CallOptions]
  ) => Promise<Calls[Name]['answer']>;
} & {
  /** A run as it happens; the last event, done, holds what runAssistant would have answered. */
  streamAssistant(
    input: Calls['runAssistant']['input'],
    options?: Pick<CallOptions, 'signal'>,
  ): AsyncGenerator<RunEvent>;
};

// Whoever has to wait longer, for a limit by the hour, learns it at once.
const waitSecondsMax = 120;

type Input = Readonly<Record<string, unknown>>;

export function createClient({
  baseUrl,
  apiKey,
  retries = 2,
  fetch: send = (request) => fetch(request),
}: ClientOptions): Client {
  const origin = baseUrl.replace(/\/+$/, '');

  async function call(
    place: Places,
    input: Input,
    options: CallOptions,
    accept: string,
  ): Promise<Response> {
    const { url, body } = writeInput(place, input);
    const headers = new Headers({ authorization: `Bearer ${apiKey}`, accept });
    if (typeof body === 'string') headers.set('content-type', 'application/json');
    // What was told as a stream can not be repeated.
    const isNamed = place.takesKey && accept !== eventStream;
    if (isNamed) headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
    if (options.ifMatch !== undefined) headers.set('if-match', options.ifMatch);
    if (options.range !== undefined) headers.set('range', options.range);
    const isRepeatable = isNamed || place.method === 'GET';
    for (let left = retries; ; left -= 1) {
      const request = new Request(origin + url, {
        method: place.method,
        headers,
        ...(body !== undefined && { body }),
        ...(options.signal && { signal: options.signal }),
      });
      const answer = await send(request).catch((error: unknown) => {
        if (!isRepeatable || left <= 0 || options.signal?.aborted) throw error;
      });
      if (answer?.ok) return answer;
      const error = answer && (await AtriumError.of(answer));
      // Refused for its rate, a call was not begun: any can be sent again.
      const isSoon = (error?.retryAfterSeconds ?? 0) <= waitSecondsMax;
      const isRefusedForNow =
        (error?.status === 429 && isSoon) ||
        (isRepeatable &&
          (error?.status === 503 || (error?.status === 409 && error.retryAfterSeconds !== null)));
      if (error && (!isRefusedForNow || left <= 0)) throw error;
      await pause(error?.retryAfterSeconds ?? 2 ** (retries - left), options.signal);
    }
  }

  const callOf =
    (place: Places) =>
    async (input: Input = {}, options: CallOptions = {}) => {
      const answer = await call(
        place,
        input,
        options,
        place.answersFile ? '*/*' : 'application/json',
      );
      return place.answersFile ? answer : answer.json();
    };
  async function* streamAssistant(
    input: Input,
    options: CallOptions = {},
  ): AsyncGenerator<RunEvent> {
    yield* readEvents(await call(places.runAssistant, input, options, eventStream));
  }
  // The types of the calls and where they go come from one document.
  return {
    ...Object.fromEntries(Object.entries(places).map(([name, place]) => [name, callOf(place)])),
    streamAssistant,
  } as unknown as Client;
}

const eventStream = 'text/event-stream';

/**
 * The path takes what it names, the query likewise; the rest is the body, a form where there is a
 * file in it.
 */
function writeInput(
  { method, path, query, files }: Places,
  input: Input,
): { url: string; body: string | FormData | undefined } {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const take = (name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return value;
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(take(name))),
  );
  const search = new URLSearchParams(
    query
      .filter((name) => rest.has(name))
      .map((name): [string, string] => [name, String(take(name))]),
  );
  const url = search.size > 0 ? `${filled}?${search}` : filled;
  if (method === 'GET' || method === 'DELETE') return { url, body: undefined };
  return {
    url,
    body: files.some((name) => rest.has(name))
      ? formOf(rest, files)
      : JSON.stringify(Object.fromEntries(rest)),
  };
}

function formOf(fields: ReadonlyMap<string, unknown>, files: readonly string[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (!files.includes(name)) form.append(name, JSON.stringify(value));
    else for (const file of [value].flat()) form.append(name, ...partOf(file));
  }
  return form;
}

function partOf(file: unknown): [Blob, string] {
  if (file instanceof File) return [file, file.name];
  const { name, content } = Object(file);
  return [content, name];
}

function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
  });
}
