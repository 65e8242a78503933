import { driverFault } from '../../platform/database/driver-fault.ts';
import { isUnavailable } from '../../platform/database/faults.ts';
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
 * SQLSTATE of a read-only server, a role without rights, a wrong password or database, a statement
 * that took too long, and errors of the disk.
 */
const unavailableStates = /^(?:25006|28|3D|42501|57014|58)/;
const diskFull = '53100';
const closedPool = 'Cannot use a pool after calling end';

function faultOfPostgres(error: Error): StorageFault | undefined {
  const { state = '', message } = driverFault(error);
  if (state === diskFull) return 'STORAGE_FULL';
  return isUnavailable(error) || unavailableStates.test(state) || message.startsWith(closedPool)
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
