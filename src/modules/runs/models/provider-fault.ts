import { AISDKError } from 'ai';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';

/**
 * What ended a run, in words of our own. The SDK's errors hold what the provider wrote, which may
 * be anything, so only their names go into the log. Whatever is no error of the SDK is none of the
 * provider either, and is given back as it is.
 */
export function faultOf(error: unknown, log: Log): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AppError) return cause;
  if (!AISDKError.isInstance(error)) return error;
  log.warn({ fault: error.name }, 'the answer of a model provider could not be used');
  return new AppError('PROVIDER_FAILED', 'The model provider gave an answer that cannot be used');
}
