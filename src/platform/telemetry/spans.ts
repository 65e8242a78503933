import { AppError } from '../errors.ts';
import { currentTrace, runInContext, type TraceContext } from '../trace-context.ts';
import type { AttributeName } from './conventions.ts';
import type { HistogramName } from './measurements.ts';

export type Attributes = Partial<Record<AttributeName, string | number | boolean | string[]>>;

export type SpanStart = {
  name: string;
  kind: 'server' | 'client' | 'internal';
  attributes?: Attributes;
};

export type Span = {
  /** The parent of the spans within this one. */
  readonly context: TraceContext;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** `type` names the error. Messages are not recorded, because they can contain content. */
  fail(type: string): void;
  end(): void;
};

/** What sends spans and measurements to a collector. */
export type Telemetry = {
  startSpan(start: SpanStart, parent: TraceContext | undefined): Span;
  record(histogram: HistogramName, value: number, attributes: Attributes): void;
};

// OpenTelemetry is loaded only if it is switched on, so the code that is traced knows this module
// only.
let active: Telemetry | undefined;

export function setTelemetry(telemetry: Telemetry | undefined): void {
  active = telemetry;
}

export const isTracing = (): boolean => active !== undefined;

export function record(histogram: HistogramName, value: number, attributes: Attributes): void {
  active?.record(histogram, value, attributes);
}

/**
 * Starts a span of the current trace. Undefined without telemetry and outside of a trace: what the
 * program does on its own, such as looking for work every second, has no spans.
 */
export function startSpan(start: SpanStart): Span | undefined {
  const parent = active && currentTrace();
  return parent && active?.startSpan(start, parent);
}

/** Starts a span that begins a new trace, unless the sender of the request has begun one. */
export const startTrace = (start: SpanStart, sender?: TraceContext): Span | undefined =>
  active?.startSpan(start, sender);

/** Runs work in a span, and ends it. */
export async function runInSpan<Result>(
  span: Span | undefined,
  run: (span: Span | undefined) => PromiseLike<Result> | Result,
): Promise<Result> {
  if (!span) return run(undefined);
  try {
    return await runInContext(span.context, () => run(span));
  } catch (error) {
    span.fail(errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The name of an error: its code, or its class. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
