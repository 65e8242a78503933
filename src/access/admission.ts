import type { ClientAddressOf } from '../http/client-address.ts';
import { cookieIn } from '../http/cookies.ts';
import type { Database } from '../platform/database/database.ts';
import type { Env } from '../platform/env.ts';
import { AppError } from '../platform/errors.ts';
import { limitHeaders, type RateLimitStatus } from '../platform/limits.ts';
import type { Metrics } from '../platform/metrics.ts';
import { networkOf } from '../platform/network-of.ts';
import type { TenantPacer } from '../platform/tenant-pacer.ts';
import type { Context, Services, Viewer } from './context.ts';
import { requireScopes } from './scopes.ts';
import { isNotDenied } from './watch-access.ts';

/**
 * Identifies the sender of a request. An invalid credential is rejected; without a credential the
 * result is null.
 */
export type IdentifyViewer = (request: Request, sender: RequestSender) => Promise<Viewer | null>;

/** `headers` receives the response headers of a rejection. */
export type RequestSender = { network: string; headers: Record<string, string> };

export type AdmissionDependencies = {
  identify: IdentifyViewer;
  env: Pick<
    Env,
    'ORGANIZATION_KEY_LIMIT' | 'USER_KEY_LIMIT' | 'ORGANIZATION_LIMIT' | 'ANONYMOUS_LIMIT'
  >;
  metrics: Metrics;
  originOf: (request: Request) => string;
  clientAddressOf: ClientAddressOf;
  services: Services;
  pacer: TenantPacer;
};

/**
 * `headers` and `setCookies` receive the headers and cookies of the response, `caller` the key or
 * person for the log.
 */
type AdmissionRequest = {
  requestId: string;
  headers: Record<string, string>;
  clientAddress?: string | undefined;
  caller?: string | undefined;
  hasArrived?: (() => boolean) | undefined;
  ended?: (() => void) | undefined;
};

// The body of a request can arrive long after its sender was identified: JSON after 15 seconds, a
// file after hours. Within this time a revocation need not have taken effect.
const identifiedForMs = 500;

type KeyKind = Exclude<Viewer['kind'], 'SESSION'>;

/** `accepts`: the kind of key that the call requires. Absent: the call needs no key. */
type AdmitOptions = { accepts?: KeyKind | 'ANY_KEY'; setCookies?: string[] };

/**
 * The first step of GraphQL and REST requests: identifies the sender and counts the rate limits.
 */
export type AdmitRequest = (
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
  pacer,
}: AdmissionDependencies): AdmitRequest {
  const { limits } = services;
  const reject = (
    { retryAfterSeconds }: RateLimitStatus,
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
    const identifiedAt = performance.now();
    const viewer = await identify(request, { network: networkOf(address), headers });
    if (viewer) requestContext.caller = callerOf(viewer);
    if (accepts) requireKey(viewer, accepts);
    let turn: Promise<void> | undefined;
    const waitForTurn = async (organizationId: string) => {
      requestContext.ended = await pacer.start(organizationId, request.signal);
    };
    // Once for each request.
    const takeTurn = async () => {
      if (viewer && viewer.organizationId !== null) turn ??= waitForTurn(viewer.organizationId);
      await turn;
    };
    if (viewer) {
      const callerStatus = await limits.consume(callerOf(viewer), limitOf(viewer, env));
      Object.assign(headers, limitHeaders(callerStatus));
      if (callerStatus.exceeded) reject(callerStatus, headers, viewer.kind);
      // A request that exceeds the limit of its key does not count against its organization.
      const organizationStatus =
        viewer.organizationId === null
          ? null
          : await limits.consume(
              `organization:${viewer.organizationId}`,
              organizationLimitOf(viewer, env),
            );
      if (organizationStatus?.exceeded) {
        Object.assign(headers, limitHeaders(organizationStatus));
        reject(organizationStatus, headers, 'ORGANIZATION');
      }
      if (mayWait(request, requestContext)) await takeTurn();
    } else if (address !== undefined) {
      const addressStatus = await limits.consume(
        `address:${networkOf(address)}`,
        env.ANONYMOUS_LIMIT,
      );
      if (addressStatus.exceeded) reject(addressStatus, headers, 'ANONYMOUS');
    }
    const clientInfo = {
      address,
      userAgent: request.headers.get('user-agent'),
      cookie: (name: string) => cookieIn(request.headers.get('cookie'), name),
      setCookie: (line: string) => void setCookies.push(line),
      setHeader: (name: string, value: string) => {
        headers[name] = value;
      },
    };
    const identifyAgain = () => identify(request, { network: networkOf(address), headers: {} });
    const requireSameAccess = async (before: Viewer) => {
      const after = await identifyAgain();
      if (!after) throw new AppError('UNAUTHENTICATED', 'Please sign in');
      if (!hasSameAccess(before, after))
        throw new AppError('FORBIDDEN', 'Your access has ended', 'ACCESS_ENDED');
      return after;
    };
    const isStillAdmitted: Context['isStillAdmitted'] = (scopes) =>
      isNotDenied(async () => {
        if (viewer) requireScopes({ viewer: await requireSameAccess(viewer) }, scopes);
      });
    const currentViewer = async () => {
      await takeTurn();
      return viewer === null || performance.now() - identifiedAt < identifiedForMs
        ? viewer
        : requireSameAccess(viewer);
    };
    return {
      ...services,
      database: databaseFor(viewer, services),
      requestId,
      origin: originOf(request),
      viewer,
      clientInfo,
      signal: request.signal,
      isStillAdmitted,
      currentViewer,
      identifyAgain,
    };
  };
}

/**
 * A body that is still arriving is read at once, because its client may be slow; the request waits
 * for its turn after that. Uploads wait first, because most of the work of an upload is reading it.
 */
const mayWait = (request: Request, requestContext: AdmissionRequest): boolean =>
  requestContext.hasArrived?.() !== false ||
  request.headers.get('content-type')?.startsWith('multipart/') === true;

const kindNames: Record<KeyKind, string> = {
  ORGANIZATION_KEY: 'an organization key',
  USER_KEY: 'a user key',
};

/** The key is valid, so its owner may learn of which kind it is. */
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
 * Identified viewers get the database in the scope of their organization and person. Anonymous
 * requests are unscoped: they can only use a token, which can belong to any organization.
 */
function databaseFor(viewer: Viewer | null, { database }: Services): Database {
  if (!viewer) return database;
  return database.within({
    organizationId: viewer.organizationId ?? '',
    personId: viewer.kind === 'ORGANIZATION_KEY' ? '' : viewer.userId,
  });
}

function hasSameAccess(before: Viewer, after: Viewer): boolean {
  if (after.kind !== before.kind || after.organizationId !== before.organizationId) return false;
  return (
    after.kind === 'ORGANIZATION_KEY' ||
    before.kind === 'ORGANIZATION_KEY' ||
    after.isAdmin ||
    !before.isAdmin
  );
}

const callerOf = (viewer: Viewer) =>
  viewer.kind === 'SESSION' ? `user:${viewer.userId}` : `key:${viewer.keyId}`;

// A key with a higher limit than its organization raises the organization's limit for its own
// requests.
const organizationLimitOf = (viewer: Viewer, env: AdmissionDependencies['env']): number =>
  viewer.kind === 'SESSION'
    ? env.ORGANIZATION_LIMIT
    : Math.max(env.ORGANIZATION_LIMIT, viewer.limitPerMinute ?? 0);

function limitOf(viewer: Viewer, env: AdmissionDependencies['env']): number {
  const defaultLimit =
    viewer.kind === 'ORGANIZATION_KEY' ? env.ORGANIZATION_KEY_LIMIT : env.USER_KEY_LIMIT;
  return viewer.kind === 'SESSION' ? defaultLimit : (viewer.limitPerMinute ?? defaultLimit);
}
