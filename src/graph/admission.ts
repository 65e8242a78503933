import type { Env } from '../platform/env.ts';
import { AppError } from '../platform/errors.ts';
import type { Limits } from '../platform/limits.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Context, Services, Viewer } from './context.ts';

/** Finds out who asks. A credential that opens nothing is refused; no credential at all is nobody. */
export type Identify = (request: Request) => Promise<Viewer | null>;

export type AdmissionParts = {
  identify: Identify;
  limits: Limits;
  env: Pick<Env, 'ORGANIZATION_KEY_LIMIT' | 'USER_KEY_LIMIT'>;
  metrics: Metrics;
  originOf: (request: Request) => string;
  services: Services;
};

/** What both doors ask first: the key, then its limit. `headers` takes what the answer must say of the limit. */
export type Admit = (request: Request, answer: { requestId: string; headers: Record<string, string> }, accepts?: Viewer['kind']) => Promise<Context>;

export function createAdmission({ identify, limits, env, metrics, originOf, services }: AdmissionParts): Admit {
  return async (request, { requestId, headers }, accepts) => {
    const viewer = await identify(request);
    if (accepts && viewer?.kind !== accepts) throw new AppError('UNAUTHENTICATED', 'Invalid or missing API key');
    if (viewer) {
      const allowance = await limits.take(callerOf(viewer), limitOf(viewer, env));
      headers['x-ratelimit-limit'] = String(allowance.limit);
      headers['x-ratelimit-remaining'] = String(allowance.remaining);
      headers['x-ratelimit-reset'] = String(allowance.resetAtSeconds);
      if (allowance.exceeded) {
        headers['retry-after'] = String(allowance.retryAfterSeconds);
        metrics.limited.inc({ kind: viewer.kind });
        throw new AppError('RATE_LIMITED', `Rate limit exceeded; try again in ${allowance.retryAfterSeconds} s`);
      }
    }
    return { ...services, requestId, origin: originOf(request), viewer, signal: request.signal };
  };
}

const callerOf = (viewer: Viewer) => (viewer.kind === 'SESSION' ? `user:${viewer.userId}` : `key:${viewer.keyId}`);

function limitOf(viewer: Viewer, env: AdmissionParts['env']): number {
  const usual = viewer.kind === 'ORGANIZATION_KEY' ? env.ORGANIZATION_KEY_LIMIT : env.USER_KEY_LIMIT;
  return viewer.kind === 'SESSION' ? usual : (viewer.limitPerMinute ?? usual);
}
