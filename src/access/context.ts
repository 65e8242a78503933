import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { RateLimits } from '../platform/limits.ts';
import type { Log } from '../platform/log.ts';
import type { ScopeMap } from './scope-map.ts';

type OrganizationAccess = { organizationId: string; features: ReadonlySet<string> };

/** A signed-in person. Platform support is independent of any role in an organization. */
type SessionAccess = {
  kind: 'SESSION';
  sessionId: string;
  userId: string;
  isPlatformSupport: boolean;
  /**
   * The organization or platform support requires a second factor that the account lacks. Until it
   * has one, the session has access to neither.
   */
  lacksSecondFactor: boolean;
};

/**
 * The identified sender of a request. A key or session belongs to one organization; a session of a
 * person without an organization belongs to none.
 */
export type Viewer =
  | (OrganizationAccess & {
      kind: 'ORGANIZATION_KEY';
      keyId: string;
      limitPerMinute: number | null;
    })
  | (OrganizationAccess & {
      kind: 'USER_KEY';
      keyId: string;
      userId: string;
      isAdmin: boolean;
      limitPerMinute: number | null;
    })
  | (OrganizationAccess & SessionAccess & { isAdmin: boolean })
  | (SessionAccess & { isAdmin: false; organizationId: null; features: ReadonlySet<string> });

/**
 * The services of a process, available to every request. Modules add theirs by declaration merging.
 */
export interface Services {
  database: Database;
  clock: Clock;
  log: Log;
  limits: RateLimits;
  /** Clears the key cache of this process, so that a permission change takes effect at once. */
  credentialsChanged: () => void;
}

/** The client of a request, identified or not. */
export type ClientInfo = {
  /** Absent without a connection, as in a test. */
  address: string | undefined;
  /** The User-Agent header. */
  userAgent: string | null;
  cookie(name: string): string | undefined;
  /** Adds a Set-Cookie header to the response. */
  setCookie(line: string): void;
  /** Sets a header of the response; its name is in lower case. */
  setHeader(name: string, value: string): void;
};

export type Context = Services & {
  requestId: string;
  /** The public address of Atrium, for links. */
  origin: string;
  viewer: Viewer | null;
  clientInfo: ClientInfo;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /**
   * Checks again whether the key or session of the request still belongs to the same organization
   * with the same roles, and meets these requirements.
   */
  isStillAdmitted: (scopes: ScopeMap) => Promise<boolean>;
  /**
   * The viewer as of now, for what happens after a body that may have arrived slowly. Waits for the
   * turn of the viewer's organization. Throws if the key or session is rejected, belongs to another
   * organization, or has lost a role.
   */
  currentViewer: () => Promise<Viewer | null>;
  /** Identifies the sender of the request again. Throws if the key or session is rejected. */
  identifyAgain: () => Promise<Viewer | null>;
};
