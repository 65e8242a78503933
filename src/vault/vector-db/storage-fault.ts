import { driverFault } from '../../platform/database/driver-fault.ts';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';

/**
 * Converts an error of the storage into an AppError that the client may see, and returns any other
 * error unchanged. SQLite and Postgres report storage errors by a code, Lance only by their message.
 */
export function storageFault(error: unknown, log: Log): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const fault =
    'errcode' in error
      ? faultOfSqlite(Number(error.errcode))
      : (faultOfPostgres(error) ?? faultOfMessage(error.message));
  if (fault === undefined) return error;
  log.error({ err: error }, 'the storage of the vector database failed');
  return fault === 'STORAGE_FULL'
    ? new AppError(fault, 'The storage of the vector database is full')
    : new AppError(fault, 'The storage of the vector database is out of reach');
}

type StorageFault = 'STORAGE_FULL' | 'UNAVAILABLE';

/** SQLite's result codes. Their low byte is the kind: read-only, input or output, full, cannot open. */
const sqliteFaults: Record<number, StorageFault> = {
  8: 'UNAVAILABLE',
  10: 'UNAVAILABLE',
  13: 'STORAGE_FULL',
  14: 'UNAVAILABLE',
};
const faultOfSqlite = (errcode: number): StorageFault | undefined => sqliteFaults[errcode & 0xff];

/**
 * SQLSTATE: the connection, the rights of the role, a read-only server, missing resources, the end
 * of the server, and errors of its disk.
 */
const unavailableStates = /^(?:08|28|3D|25006$|42501$|53|57|58)/;
const diskFull = '53100';
const lostConnection =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client was closed|Client has encountered a connection error|Cannot use a pool after calling end)/;

function faultOfPostgres(error: Error): StorageFault | undefined {
  const { state, systemCode, message } = driverFault(error);
  if (state === diskFull) return 'STORAGE_FULL';
  if (state !== undefined) return unavailableStates.test(state) ? 'UNAVAILABLE' : undefined;
  return /^(?:ECONN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_)/.test(
    systemCode ?? '',
  ) || lostConnection.test(message)
    ? 'UNAVAILABLE'
    : undefined;
}

function faultOfMessage(message: string): StorageFault | undefined {
  if (/no space left on device|os error 28\b|ENOSPC|quota exceeded|os error 122\b/i.test(message))
    return 'STORAGE_FULL';
  return /LanceError\((?:IO|Io)|lance error: (?:IO|Not found|Dataset at path)|object_?store|os error \d+|table '?[^']*'? was not found/i.test(
    message,
  )
    ? 'UNAVAILABLE'
    : undefined;
}
