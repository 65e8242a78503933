import { setTimeout as wait } from 'node:timers/promises';
import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import { setTelemetry } from './spans.ts';

type TelemetryPart = {
  stop: () => void;
  close: () => Promise<void>;
  closeConnections: () => void;
};

// The program exits ten seconds after the signal at the latest, and each of its three parts waits
// for its own collector.
const flushMsMax = 250;

/**
 * Switches OpenTelemetry on for this thread, if OTEL_EXPORTER_OTLP_ENDPOINT is set. Otherwise none
 * of its packages is loaded. The result is closed last, so that it sends the spans of the other
 * parts.
 */
export async function startTelemetry(
  env: Env,
  part: string,
  log: Log,
): Promise<TelemetryPart | undefined> {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  const { createOpenTelemetry } = await import('./open-telemetry.ts');
  const telemetry = createOpenTelemetry({ serviceName: `atrium-${part}`, env, log });
  setTelemetry(telemetry);
  // A failure is logged when it begins.
  const flush = () => telemetry.flush().catch(() => undefined);
  return {
    // While requests still arrive, so that little is left to send at the end.
    stop: () => void flush(),
    close: () => Promise.race([flush(), wait(flushMsMax, undefined, { ref: false })]),
    closeConnections: () => undefined,
  };
}
