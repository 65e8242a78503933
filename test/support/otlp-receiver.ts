import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '../../src/http/server.ts';

type OtlpValue = {
  stringValue?: string;
  intValue?: number;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: OtlpValue[] };
};
type OtlpAttributes = { key: string; value: OtlpValue }[];
type OtlpResource = { attributes: OtlpAttributes };
type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  kind: number;
  attributes: OtlpAttributes;
  status: { code: number; message?: string };
};
type OtlpPoint = { attributes: OtlpAttributes; count: number | string; sum: number };
type TraceRequest = {
  resourceSpans: { resource: OtlpResource; scopeSpans: { spans: OtlpSpan[] }[] }[];
};
type MetricRequest = {
  resourceMetrics: {
    resource: OtlpResource;
    scopeMetrics: {
      metrics: { name: string; unit: string; histogram?: { dataPoints: OtlpPoint[] } }[];
    }[];
  }[];
};

export type ReceivedSpan = Omit<OtlpSpan, 'attributes'> & {
  service: unknown;
  attributes: Record<string, unknown>;
};
export type ReceivedPoint = {
  name: string;
  service: unknown;
  attributes: Record<string, unknown>;
  count: number;
  sum: number;
};

/** A collector that takes OTLP over HTTP as JSON, and keeps what it receives. */
export async function otlpReceiver(
  respond: (request: IncomingMessage, response: ServerResponse) => void = accept,
) {
  const spans: ReceivedSpan[] = [];
  const points: ReceivedPoint[] = [];
  const texts: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer(async (request, response) => {
    headers.push(request.headers);
    const body: unknown = await json(request).catch(() => undefined);
    texts.push(JSON.stringify(body));
    if (request.url === '/v1/traces') spans.push(...spansOf(body as TraceRequest));
    if (request.url === '/v1/metrics') points.push(...pointsOf(body as MetricRequest));
    respond(request, response);
  });
  const url = await listen(server, { HOST: '127.0.0.1', PORT: 0 });
  return {
    url,
    spans,
    points,
    /** The bodies of the requests. */
    texts,
    headers,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const accept = (_: IncomingMessage, response: ServerResponse): void => {
  response.setHeader('content-type', 'application/json').end('{}');
};

const spansOf = ({ resourceSpans }: TraceRequest): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        service: toRecord(resource.attributes)['service.name'],
        attributes: toRecord(span.attributes),
      })),
    ),
  );

const pointsOf = ({ resourceMetrics }: MetricRequest): ReceivedPoint[] =>
  resourceMetrics.flatMap(({ resource, scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.flatMap(({ name, histogram }) =>
        (histogram?.dataPoints ?? []).map(({ attributes, count, sum }) => ({
          name,
          service: toRecord(resource.attributes)['service.name'],
          attributes: toRecord(attributes),
          count: Number(count),
          sum,
        })),
      ),
    ),
  );

const toRecord = (attributes: OtlpAttributes): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, toValue(value)]));

const toValue = ({
  stringValue,
  intValue,
  doubleValue,
  boolValue,
  arrayValue,
}: OtlpValue): unknown =>
  stringValue ??
  (intValue === undefined ? undefined : Number(intValue)) ??
  doubleValue ??
  boolValue ??
  arrayValue?.values.map(toValue);
