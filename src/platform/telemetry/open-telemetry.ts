import { randomUUID } from 'node:crypto';
import {
  createTraceState,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import type { TraceContext } from '../trace-context.ts';
import { version } from '../version.ts';
import { conventionsVersion } from './conventions.ts';
import { type HistogramName, histograms } from './measurements.ts';
import { samplerOf } from './sampler.ts';
import type { Span, Telemetry } from './spans.ts';
import { warnOnce } from './warn-once.ts';

type TelemetryOptions = {
  /** The name of the service, unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES has another. */
  serviceName: string;
  env: Pick<Env, 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'>;
  log: Log;
};

const schemaUrl = `https://opentelemetry.io/schemas/${conventionsVersion}`;
// While the collector does not answer, spans wait up to this number; later ones are dropped.
const waitingSpansMax = 2_048;
const spansPerExport = 512;
const exportTimeoutMs = 10_000;
// Names of GraphQL operations are chosen by clients.
const attributeCharactersMax = 256;

/** Sends spans and measurements to a collector by OTLP over HTTP, as JSON. */
export function createOpenTelemetry({ serviceName, env, log }: TelemetryOptions) {
  const resource = resourceFromAttributes({
    'service.name': serviceName,
    'service.version': version,
    // Several processes of one service send the same metrics.
    'service.instance.id': randomUUID(),
  }).merge(detectResources({ detectors: [envDetector] }));
  // The exporters read the other variables of OTEL_EXPORTER_OTLP_ themselves.
  const traces = new BatchSpanProcessor({
    exporter: warnOnce(new OTLPTraceExporter(), 'traces', log),
    maxQueueSize: waitingSpansMax,
    maxExportBatchSize: spansPerExport,
    exportTimeoutMillis: exportTimeoutMs,
  });
  const tracerProvider = new TracerProvider({
    resource,
    sampler: samplerOf(env),
    spanProcessors: [traces],
    spanLimits: { attributeValueLengthLimit: attributeCharactersMax },
  });
  const meterProvider = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: warnOnce(new OTLPMetricExporter(), 'metrics', log),
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  const tracer = tracerProvider.getTracer('atrium', version, { schemaUrl });
  const meter = meterProvider.getMeter('atrium', version, { schemaUrl });
  const instruments = new Map(
    Object.entries(histograms).map(([name, { unit, description, boundaries }]) => [
      name,
      meter.createHistogram(name, {
        unit,
        description,
        advice: { explicitBucketBoundaries: [...boundaries] },
      }),
    ]),
  );

  return {
    startSpan({ name, kind, attributes = {} }, parent) {
      const isRemote = kind === 'server';
      const span = tracer.startSpan(
        name,
        { kind: kinds[kind], attributes },
        parent ? trace.setSpanContext(ROOT_CONTEXT, toSpanContext(parent, isRemote)) : ROOT_CONTEXT,
      );
      return toSpan(span, parent?.state);
    },
    record: (histogram: HistogramName, value, attributes) =>
      instruments.get(histogram)?.record(value, attributes),
    /** Sends what waits. Rejects if it cannot be sent. */
    async flush(): Promise<void> {
      await Promise.all([tracerProvider.forceFlush(), meterProvider.forceFlush()]);
    },
  } satisfies Telemetry & { flush: () => Promise<void> };
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

const toSpanContext = ({ traceId, spanId, flags, state }: TraceContext, isRemote: boolean) => ({
  ...{ traceId, spanId, isRemote },
  traceFlags: Number.parseInt(flags, 16),
  ...(state === undefined ? {} : { traceState: createTraceState(state) }),
});

function toSpan(span: SdkSpan, state: string | undefined): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    context: { traceId, spanId, flags: traceFlags.toString(16).padStart(2, '0'), state },
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail(type) {
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
  };
}
