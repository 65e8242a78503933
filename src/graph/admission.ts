import type { ClientAddressOf } from '../platform/client-address.ts';
import { cookieIn } from '../platform/cookies.ts';
import type { Database } from '../platform/database/database.ts';
import type { Env } from '../platform/env.ts';
import { AppError } from '../platform/errors.ts';
import { type Allowance, limitHeaders } from '../platform/limits.ts';
import type { Metrics } from '../platform/metrics.ts';
import { networkOf } from '../platform/network-of.ts';
import type { Context, Services, Viewer } from './context.ts';
import { isNotRefused } from './watch-access.ts';

/**
 * Finds out who asks. A credential that opens nothing is refused; no credential at all is nobody.
 */
export type Identify = (request: Request, sender: Sender) => Promise<Viewer | null>;

/** `headers` takes what a refusal must say. */
export type Sender = { network: string; headers: Record<string, string> };

export type AdmissionParts = {
  identify: Identify;
  env: Pick<
    Env,
    'ORGANIZATION_KEY_LIMIT' | 'USER_KEY_LIMIT' | 'ORGANIZATION_LIMIT' | 'ANONYMOUS_LIMIT'
  >;
  metrics: Metrics;
  originOf: (request: Request) => string;
  clientAddressOf: ClientAddressOf;
  services: Services;
};

/**
 * `headers` and `setCookies` take what the answer must say, `caller` the key or person that the log
 * names.
 */
type AdmissionRequest = {
  requestId: string;
  headers: Record<string, string>;
  clientAddress?: string | undefined;
  caller?: string | undefined;
};

type KeyKind = Exclude<Viewer['kind'], 'SESSION'>;

/** `accepts`: which kind of key opens the call; absent where nobody in particular is expected. */
type AdmitOptions = { accepts?: KeyKind | 'ANY_KEY'; setCookies?: string[] };

/** What both doors ask first: the key, then its limit. */
export type Admit = (
  request: Request,
  requestContext: AdmissionRequest,
  options?: AdmitOptions,
) => Promise<Context>;

export function createAdmission({
  identify,
  env,
  metrics,
  originOf,
  clientAddressOf,
  services,
}: AdmissionParts): Admit {
  const { limits } = services;
  const refuse = (
    { retryAfterSeconds }: Allowance,
    headers: Record<string, string>,
    kind: string,
  ): never => {
    headers['retry-after'] = String(retryAfterSeconds);
    metrics.limited.inc({ kind });
    throw new AppError('RATE_LIMITED', `Rate limit exceeded; try again in ${retryAfterSeconds} s`);
  };

  return async (request, requestContext, { accepts, setCookies = [] } = {}) => {
    const { requestId, headers } = requestContext;
    const address = clientAddressOf(request, requestContext.clientAddress);
    const viewer = await identify(request, { network: networkOf(address), headers });
    if (viewer) requestContext.caller = callerOf(viewer);
    if (accepts) requireKey(viewer, accepts);
    if (viewer) {
      const own = await limits.take(callerOf(viewer), limitOf(viewer, env));
      Object.assign(headers, limitHeaders(own));
      if (own.exceeded) refuse(own, headers, viewer.kind);
      // A refused request of one key uses up nothing of the others.
      const whole =
        viewer.organizationId === null
          ? null
          : await limits.take(
              `organization:${viewer.organizationId}`,
              organizationLimitOf(viewer, env),
            );
      if (whole?.exceeded) {
        Object.assign(headers, limitHeaders(whole));
        refuse(whole, headers, 'ORGANIZATION');
      }
    } else if (address !== undefined) {
      const allowance = await limits.take(`address:${networkOf(address)}`, env.ANONYMOUS_LIMIT);
      if (allowance.exceeded) refuse(allowance, headers, 'ANONYMOUS');
    }
    const clientInfo = {
      address,
      userAgent: request.headers.get('user-agent'),
      cookie: (name: string) => cookieIn(request.headers.get('cookie'), name),
      setCookie: (line: string) => void setCookies.push(line),
    };
    const isStillAdmitted = () =>
      isNotRefused(async () => {
        if (
          viewer &&
          !isAsBefore(viewer, await identify(request, { network: networkOf(address), headers: {} }))
        )
          throw new AppError('FORBIDDEN', 'Your access has ended');
      });
    return {
      ...services,
      database: databaseFor(viewer, services),
      requestId,
      origin: originOf(request),
      viewer,
      clientInfo,
      signal: request.signal,
      isStillAdmitted,
    };
  };
}

const kindNames: Record<KeyKind, string> = {
  ORGANIZATION_KEY: 'an organization key',
  USER_KEY: 'a user key',
};

/** The key is real, so whoever sent it may know of which kind it is. */
function requireKey(viewer: Viewer | null, accepts: KeyKind | 'ANY_KEY'): void {
  if (!viewer || viewer.kind === 'SESSION')
    throw new AppError('UNAUTHENTICATED', 'Invalid or missing API key');
  if (accepts === 'ANY_KEY' || viewer.kind === accepts) return;
  throw new AppError(
    'UNAUTHENTICATED',
    `This is ${kindNames[viewer.kind]}; this call takes ${kindNames[accepts]}`,
  );
}

/**
 * Who is known sees what is theirs. Nobody yet has only what a token opens, and that can be
 * anybody's.
 */
function databaseFor(viewer: Viewer | null, { database }: Services): Database {
  if (!viewer) return database;
  return database.within({
    organizationId: viewer.organizationId ?? '',
    personId: viewer.kind === 'ORGANIZATION_KEY' ? '' : viewer.userId,
  });
}

function isAsBefore(before: Viewer, now: Viewer | null): boolean {
  if (now?.kind !== before.kind || now.organizationId !== before.organizationId) return false;
  return (
    now.kind === 'ORGANIZATION_KEY' ||
    before.kind === 'ORGANIZATION_KEY' ||
    now.isAdmin ||
    !before.isAdmin
  );
}

const callerOf = (viewer: Viewer) =>
  viewer.kind === 'SESSION' ? `user:${viewer.userId}` : `key:${viewer.keyId}`;

// A key that was given more than a whole organization has is not stopped by that.
const organizationLimitOf = (viewer: Viewer, env: AdmissionParts['env']): number =>
  viewer.kind === 'SESSION'
    ? env.ORGANIZATION_LIMIT
    : Math.max(env.ORGANIZATION_LIMIT, viewer.limitPerMinute ?? 0);

function limitOf(viewer: Viewer, env: AdmissionParts['env']): number {
  const usual =
    viewer.kind === 'ORGANIZATION_KEY' ? env.ORGANIZATION_KEY_LIMIT : env.USER_KEY_LIMIT;
  return viewer.kind === 'SESSION' ? usual : (viewer.limitPerMinute ?? usual);
}
