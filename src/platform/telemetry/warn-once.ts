import type { Log } from '../log.ts';

type Result = { code: number; error?: Error };
type Exporter<Items> = { export(items: Items, done: (result: Result) => void): void };

/**
 * Logs when an exporter begins to fail, and when it works again. A line for each failure would fill
 * the log while the collector is away.
 */
export function warnOnce<Items, E extends Exporter<Items>>(
  exporter: E & Exporter<Items>,
  what: string,
  log: Pick<Log, 'warn' | 'info'>,
): E {
  const send = exporter.export.bind(exporter);
  let isFailing = false;
  exporter.export = (items, done) =>
    send(items, (result) => {
      const hasFailed = result.code !== 0;
      // The answer of the collector is left out: its text may be anything.
      const fault = result.error && 'code' in result.error ? result.error.code : undefined;
      if (hasFailed && !isFailing)
        log.warn(
          { what, fault },
          'The OpenTelemetry collector does not accept data; it is dropped',
        );
      if (!hasFailed && isFailing)
        log.info({ what }, 'The OpenTelemetry collector accepts data again');
      isFailing = hasFailed;
      done(result);
    });
  return exporter;
}
