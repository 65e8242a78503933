import type { ClientAddressOf } from '../platform/client-address.ts';
import { cookieIn } from '../platform/cookies.ts';
import type { Database } from '../platform/database/database.ts';
import type { Env } from '../platform/env.ts';
import { AppError } from '../platform/errors.ts';
import type { Allowance } from '../platform/limits.ts';
import type { Metrics } from '../platform/metrics.ts';
import { networkOf } from '../platform/network-of.ts';
import type { Context, Services, Viewer } from './context.ts';

/** Finds out who asks. A credential that opens nothing is refused; no credential at all is nobody. */
export type Identify = (request: Request) => Promise<Viewer | null>;

export type AdmissionParts = {
  identify: Identify;
  env: Pick<Env, 'ORGANIZATION_KEY_LIMIT' | 'USER_KEY_LIMIT' | 'ANONYMOUS_LIMIT'>;
  metrics: Metrics;
  originOf: (request: Request) => string;
  clientAddressOf: ClientAddressOf;
  services: Services;
};

/** `headers` and `setCookies` take what the answer must say. */
type Visit = { requestId: string; headers: Record<string, string>; clientAddress?: string | undefined; setCookies?: string[] };

/** What both doors ask first: the key, then its limit. */
export type Admit = (request: Request, visit: Visit, accepts?: Viewer['kind']) => Promise<Context>;

export function createAdmission({ identify, env, metrics, originOf, clientAddressOf, services }: AdmissionParts): Admit {
  const { limits } = services;
  const refuse = ({ retryAfterSeconds }: Allowance, headers: Record<string, string>, kind: string): never => {
    headers['retry-after'] = String(retryAfterSeconds);
    metrics.limited.inc({ kind });
    throw new AppError('RATE_LIMITED', `Rate limit exceeded; try again in ${retryAfterSeconds} s`);
  };

  return async (request, { requestId, headers, clientAddress, setCookies = [] }, accepts) => {
    const viewer = await identify(request);
    const address = clientAddressOf(request, clientAddress);
    if (accepts && viewer?.kind !== accepts) throw new AppError('UNAUTHENTICATED', 'Invalid or missing API key');
    if (viewer) {
      const allowance = await limits.take(callerOf(viewer), limitOf(viewer, env));
      headers['x-ratelimit-limit'] = String(allowance.limit);
      headers['x-ratelimit-remaining'] = String(allowance.remaining);
      headers['x-ratelimit-reset'] = String(allowance.resetAtSeconds);
      if (allowance.exceeded) refuse(allowance, headers, viewer.kind);
    } else if (address !== undefined) {
      const allowance = await limits.take(`address:${networkOf(address)}`, env.ANONYMOUS_LIMIT);
      if (allowance.exceeded) refuse(allowance, headers, 'ANONYMOUS');
    }
    const visitor = {
      address,
      cookie: (name: string) => cookieIn(request.headers.get('cookie'), name),
      setCookie: (line: string) => void setCookies.push(line),
    };
    return { ...services, database: databaseFor(viewer, services), requestId, origin: originOf(request), viewer, visitor, signal: request.signal };
  };
}

/** Who is known sees what is theirs. Nobody yet has only what a token opens, and that can be anybody's. */
function databaseFor(viewer: Viewer | null, { database }: Services): Database {
  if (!viewer) return database;
  return database.within({ organizationId: viewer.organizationId ?? '', personId: viewer.kind === 'ORGANIZATION_KEY' ? '' : viewer.userId });
}

const callerOf = (viewer: Viewer) => (viewer.kind === 'SESSION' ? `user:${viewer.userId}` : `key:${viewer.keyId}`);

function limitOf(viewer: Viewer, env: AdmissionParts['env']): number {
  const usual = viewer.kind === 'ORGANIZATION_KEY' ? env.ORGANIZATION_KEY_LIMIT : env.USER_KEY_LIMIT;
  return viewer.kind === 'SESSION' ? usual : (viewer.limitPerMinute ?? usual);
}
