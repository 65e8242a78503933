import { AISDKError } from 'ai';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';

/**
 * The error that ends a run, in a form that callers may see. Errors of the SDK contain text of the
 * provider, which may be anything, so only their names are logged. Any other error is not the fault
 * of the provider and is returned unchanged.
 */
export function toPublicError(error: unknown, log: Log): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AppError) return cause;
  if (!AISDKError.isInstance(error)) return error;
  log.warn({ fault: error.name }, 'The answer of a model provider could not be used');
  return new AppError('PROVIDER_FAILED', 'The model provider gave an answer that cannot be used');
}
