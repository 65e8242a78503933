import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';

/**
 * Converts an error of the storage into an AppError that the client may see, and returns any other
 * error unchanged. Lance reports storage errors only by their message.
 */
export function storageFault(error: unknown, log: Log): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const code = codeOf(error.message);
  if (code === undefined) return error;
  log.error({ err: error }, 'the storage of the vector database failed');
  return code === 'STORAGE_FULL'
    ? new AppError(code, 'The storage of the vector database is full')
    : new AppError(code, 'The storage of the vector database is out of reach');
}

function codeOf(message: string): 'STORAGE_FULL' | 'UNAVAILABLE' | undefined {
  if (/no space left on device|os error 28\b|ENOSPC|quota exceeded|os error 122\b/i.test(message))
    return 'STORAGE_FULL';
  return /LanceError\((?:IO|Io)|lance error: (?:IO|Not found|Dataset at path)|object_?store|os error \d+|table '?[^']*'? was not found/i.test(
    message,
  )
    ? 'UNAVAILABLE'
    : undefined;
}
