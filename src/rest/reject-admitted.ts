import type { AdmitRequest } from '../access/admission.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { AppError } from '../platform/errors.ts';

/**
 * Rejects a request for an unknown path or method, but only after its key was authenticated and
 * counted against the limit, so that the paths are not revealed without a key.
 */
export async function rejectAdmitted(
  request: Request,
  requestContext: RequestContext,
  admit: AdmitRequest,
  error: AppError,
): Promise<never> {
  await admit(request, requestContext, { accepts: 'ANY_KEY' });
  throw error;
}
