import { AppError } from '../../platform/errors.ts';

/**
 * The error of a run whose files find no space. Only calls that upload a file answer 507; a run
 * answers as every other write does on a full disk.
 */
export const toRunError = (error: unknown): unknown =>
  error instanceof AppError && error.code === 'STORAGE_FULL'
    ? new AppError('UNAVAILABLE', 'There is no space left for the files of this run')
    : error;
