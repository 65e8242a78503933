import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** A span of a trace (https://www.w3.org/TR/trace-context-1/). */
export type TraceContext = {
  traceId: string;
  /** The parent of the requests that are sent within the span. */
  spanId: string;
  flags: string;
  state: string | undefined;
};

const contexts = new AsyncLocalStorage<TraceContext>();

// A later version may append fields, which are ignored; version ff is invalid.
const parentForm =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<traceId>[0-9a-f]{32})-(?!0{16})(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/;
const parentCharactersMax = 256;
const stateForm = /^[\x20-\x7e]{1,512}$/;

/**
 * The sender's span, as the headers `traceparent` and `tracestate` of a request name it. A malformed
 * `traceparent` is ignored together with its state, as the standard says.
 */
export function readTraceContext(headers: Headers): TraceContext | undefined {
  const parent = headers.get('traceparent');
  if (parent === null || parent.length > parentCharactersMax) return undefined;
  const { version, traceId, spanId, flags, more } = parentForm.exec(parent)?.groups ?? {};
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  const state = headers.get('tracestate') ?? '';
  return { traceId, spanId, flags, state: stateForm.test(state) ? state : undefined };
}

/** A span within another one, named only in log lines and in the requests that it causes. */
export const childOf = (parent: TraceContext): TraceContext => ({
  ...parent,
  spanId: randomBytes(8).toString('hex'),
});

export const runInContext = <Result>(context: TraceContext, run: () => Result): Result =>
  contexts.run(context, run);

export const currentTrace = (): TraceContext | undefined => contexts.getStore();

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
