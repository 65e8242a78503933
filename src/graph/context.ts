import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Limits } from '../platform/limits.ts';
import type { Log } from '../platform/log.ts';

type Member = { organizationId: string; features: ReadonlySet<string> };

/**
 * Somebody who is signed in. Platform support is a role of the platform: it stands beside any place
 * in an organization.
 */
type Person = {
  kind: 'SESSION';
  sessionId: string;
  userId: string;
  isPlatformSupport: boolean;
  /**
   * The organization, or the work for the platform, requires a second factor that the account
   * lacks: until then the session stands for neither.
   */
  lacksSecondFactor: boolean;
};

/**
 * Who asks. A key and a session always stand for one organization; a session of a person without
 * one stands for none.
 */
export type Viewer =
  | (Member & { kind: 'ORGANIZATION_KEY'; keyId: string; limitPerMinute: number | null })
  | (Member & {
      kind: 'USER_KEY';
      keyId: string;
      userId: string;
      isAdmin: boolean;
      limitPerMinute: number | null;
    })
  | (Member & Person & { isAdmin: boolean })
  | (Person & { isAdmin: false; organizationId: null; features: ReadonlySet<string> });

/**
 * What is made once for a process and handed to every request. Modules add their own by declaration
 * merging.
 */
export interface Services {
  database: Database;
  clock: Clock;
  log: Log;
  limits: Limits;
  /**
   * Makes this process forget what it remembers of keys, so that a change of a right holds at once.
   */
  credentialsChanged: () => void;
}

/** The browser or program at the other end, whoever sits before it. */
export type ClientInfo = {
  /** Absent where there is no connection, as in a test. */
  address: string | undefined;
  /** What the browser or program says of itself. */
  userAgent: string | null;
  cookie(name: string): string | undefined;
  /** Adds a Set-Cookie line to the answer. */
  setCookie(line: string): void;
};

export type Context = Services & {
  requestId: string;
  /** The address under which people reach Atrium, for links that are handed out. */
  origin: string;
  viewer: Viewer | null;
  clientInfo: ClientInfo;
  /** Aborted when whoever asked has left. */
  signal: AbortSignal;
  /**
   * Asks again whether the key or session of the request still stands for the same organization,
   * with no role lost.
   */
  isStillAdmitted: () => Promise<boolean>;
};
