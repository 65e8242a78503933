import pino, { type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Env } from './env.ts';
import { traceFields } from './trace-context.ts';

export type Log = Logger;
type LogSettings = Pick<Env, 'LOG_LEVEL' | 'LOG_FORMAT'>;

// API keys are recognised by their form anywhere in a line. Fields with these names are replaced
// completely.
const keyForm = /sk_svc_[A-Za-z0-9_]+/g;
const secretFields = ['authorization', 'cookie', 'password', 'secret', 'token', 'key'];
const redactedPaths = secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/** The log of a server, on standard output. `copy` receives the same entries as JSON. */
export const createLog = (
  settings: LogSettings,
  destination: DestinationStream = pino.destination({ fd: 1, sync: true }),
  copy?: DestinationStream,
): Log => logTo(settings, destination, copy);

/** The log of a command whose standard output is its result: it goes to standard error. */
export const createErrorLog = (settings: LogSettings): Log =>
  logTo(settings, pino.destination({ fd: 2, sync: true }));

function logTo(
  { LOG_LEVEL, LOG_FORMAT }: LogSettings,
  destination: DestinationStream,
  copy?: DestinationStream,
): Log {
  const options = {
    level: LOG_LEVEL,
    redact: { paths: redactedPaths, censor: '[secret]' },
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: traceFields,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: (line: string) => line.replace(keyForm, '[key]') },
  };
  const output =
    LOG_FORMAT === 'json'
      ? destination
      : pretty({ destination, ignore: 'pid,hostname', singleLine: true });
  return pino(options, copy ? writeToBoth(output, copy) : output);
}

const writeToBoth = (first: DestinationStream, second: DestinationStream): DestinationStream => ({
  write(line) {
    first.write(line);
    second.write(line);
  },
});
