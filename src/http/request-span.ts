import {
  type Attributes,
  isTracing,
  record,
  runInSpan,
  type Span,
  startTrace,
} from '../platform/telemetry/spans.ts';
import { childOf, readTraceContext, runInContext } from '../platform/trace-context.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Runs work in the trace that the headers of a request name. With OpenTelemetry the request has a
 * span, which begins a trace if the sender has none.
 */
export function runInRequestSpan<Result>(
  request: Request,
  run: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const sender = readTraceContext(request.headers);
  if (isTracing()) {
    const attributes = attributesOf(request);
    const span = startTrace({ name: request.method, kind: 'server', attributes }, sender);
    return runInSpan(span, run);
  }
  return sender ? runInContext(childOf(sender), () => run(undefined)) : run(undefined);
}

// The path is left out, because it contains ids; `http.route` has placeholders for them.
const attributesOf = ({ method, url }: Request): Attributes => ({
  'http.request.method': method,
  'url.scheme': url.startsWith('https:') ? 'https' : 'http',
});

/** Describes a request whose answer is known, and measures how long it took. */
export function describeRequest(
  span: Span | undefined,
  request: Request,
  { operation, route, graphOperation }: RequestContext,
  { status, seconds }: { status: number; seconds: number },
): void {
  if (!span) return;
  if (operation !== 'none') span.rename(operation);
  if (graphOperation) {
    const { type, name } = graphOperation;
    span.rename(`${operation} ${type}`);
    span.set({
      'graphql.operation.type': type,
      ...(name === undefined ? {} : { 'graphql.operation.name': name }),
    });
  }
  const attributes = {
    ...(route === undefined ? {} : { 'http.route': route }),
    'http.response.status_code': status,
  };
  span.set(attributes);
  const isFault = status >= 500;
  if (isFault) span.fail(String(status));
  record('http.server.request.duration', seconds, {
    ...attributesOf(request),
    ...attributes,
    ...(isFault ? { 'error.type': String(status) } : {}),
  });
}
