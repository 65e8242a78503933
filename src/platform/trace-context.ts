import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** The trace that a request belongs to (https://www.w3.org/TR/trace-context-1/). */
type TraceContext = {
  traceId: string;
  /** Names this request in the trace; it is the parent of the requests that it causes. */
  spanId: string;
  flags: string;
  state: string | undefined;
};

const contexts = new AsyncLocalStorage<TraceContext>();

// A later version may append fields, which are ignored; version ff is invalid.
const parentForm =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<traceId>[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/;
const parentCharactersMax = 256;
const stateForm = /^[\x20-\x7e]{1,512}$/;

/**
 * Runs `run` in the trace of the headers `traceparent` and `tracestate` of a request. A malformed
 * `traceparent` is ignored together with its state, as the standard says; without one there is no
 * trace.
 */
export function runInTrace<Result>(headers: Headers, run: () => Result): Result {
  const parent = headers.get('traceparent');
  if (parent === null || parent.length > parentCharactersMax) return run();
  const { version, traceId, flags, more } = parentForm.exec(parent)?.groups ?? {};
  if (traceId === undefined || flags === undefined || (version === '00' && more !== undefined))
    return run();
  const state = headers.get('tracestate') ?? '';
  const context = {
    traceId,
    flags,
    spanId: randomBytes(8).toString('hex'),
    state: stateForm.test(state) ? state : undefined,
  };
  return contexts.run(context, run);
}

/** The headers that continue the trace in a request to another service; none without a trace. */
export function traceHeaders(): Record<string, string> {
  const context = contexts.getStore();
  if (!context) return {};
  const { traceId, spanId, flags, state } = context;
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    ...(state === undefined ? {} : { tracestate: state }),
  };
}

/** The fields of a log line that name the trace. A new object, because pino writes into it. */
export function traceFields(): { traceId?: string; spanId?: string } {
  const context = contexts.getStore();
  return context ? { traceId: context.traceId, spanId: context.spanId } : {};
}
