import pino, { type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Env } from './env.ts';

export type Log = Logger;

// Keys are recognised by their form wherever they stand in a string; fields of these names are removed whole.
const keyPattern = /sk_svc_[A-Za-z0-9_]+/g;
const secretFields = ['authorization', 'cookie', 'password', 'secret', 'token', 'key'];
const redactedPaths = secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

export function createLog(env: Pick<Env, 'LOG_LEVEL' | 'LOG_FORMAT'>, destination: DestinationStream = pino.destination({ fd: 1, sync: true })): Log {
  const stream = env.LOG_FORMAT === 'json' ? destination : pretty({ destination, colorize: process.stdout.isTTY, ignore: 'pid,hostname', singleLine: true });
  return pino(
    {
      level: env.LOG_LEVEL,
      redact: { paths: redactedPaths, censor: '[secret]' },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        streamWrite: (line) => line.replace(keyPattern, '[key]'),
      },
    },
    stream,
  );
}
