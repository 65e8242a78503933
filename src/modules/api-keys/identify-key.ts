import type { RequestSender } from '../../access/admission.ts';
import type { Viewer } from '../../access/context.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { hashName } from '../../platform/hash.ts';
import type { RateLimits } from '../../platform/limits.ts';
import type { Log } from '../../platform/log.ts';
import { isWellFormedKey } from './key-format.ts';
import { createUnknownKeys } from './unknown-keys.ts';

// The process that changes a key, a membership or a feature clears its cache at once. Every other
// process notices the change when its cached entry expires: after 750 ms, so within one second even
// if the read was slow.
const cachedMs = 750;
const cachedMax = 10_000;
const knownMax = 100_000;
const lastUseEveryMs = 60_000;

type KeyRow = {
  id: string;
  kind: 'USER' | 'ORGANIZATION';
  organizationId: string;
  userId: string | null;
  isAdmin: boolean | null;
  features: string[];
  limitPerMinute: number | null;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
};

type RevokedKey = { revokedAt: string };

/**
 * `cachedUntil` is a time of the monotonic clock. With times of day alone, a clock that is set back by
 * an hour would keep a revoked key valid for that hour.
 */
type CachedKey = { viewer: Viewer; expiresAtMs: number; readAtMs: number; cachedUntil: number };

/**
 * Identifies the viewers of API keys and caches those of recently used keys, by the hash of the
 * key.
 */
export function createKeyCache({
  database,
  clock,
  log,
  limits,
}: {
  database: Database;
  clock: Clock;
  log: Log;
  limits: RateLimits;
}) {
  const cachedKeys = new Map<string, CachedKey>();
  const pendingLookUps = new Map<string, Promise<CachedKey | undefined>>();
  const unknownKeys = createUnknownKeys({ limits });
  // Keys that this process has found before. Looking them up again never counts as a guess.
  const knownKeys = new Set<string>();
  let generation = 0;

  async function readKey(hash: Buffer): Promise<CachedKey | RevokedKey | undefined> {
    const [row] = await database.sql<KeyRow>`
      select k.id, k.kind, k.organization_id as "organizationId", k.user_id as "userId", m.role = 'ADMIN' as "isAdmin",
             o.features, coalesce(k.limit_per_minute, k.limit_per_minute_max) as "limitPerMinute", k.last_used_at as "lastUsedAt", k.expires_at as "expiresAt",
             k.revoked_at as "revokedAt"
      from api_keys k
      join organizations o on o.id = k.organization_id
      left join memberships m on m.organization_id = k.organization_id and m.user_id = k.user_id
      where k.hash = ${hash}`;
    if (!row) return undefined;
    if (row.revokedAt !== null) return { revokedAt: row.revokedAt };
    const now = clock().getTime();
    if (now - Date.parse(row.lastUsedAt ?? '1970-01-01T00:00:00.000Z') > lastUseEveryMs)
      recordLastUse(row.id, new Date(now));
    return {
      viewer: viewerOf(row),
      expiresAtMs: row.expiresAt ? Date.parse(row.expiresAt) : Number.POSITIVE_INFINITY,
      readAtMs: now,
      cachedUntil: performance.now() + cachedMs,
    };
  }

  /** A key is read again as well when the time of day was set, in either direction. */
  const isFresh = ({ readAtMs, cachedUntil }: CachedKey): boolean =>
    performance.now() < cachedUntil && Math.abs(clock().getTime() - readAtMs) < cachedMs;

  // Requests do not wait for this write, and its failure does not fail the request.
  function recordLastUse(id: string, lastUsedAt: Date): void {
    database.sql`update api_keys set last_used_at = ${lastUsedAt} where id = ${id}`.catch(
      (error: unknown) => log.warn({ err: error }, 'could not store the last use of an API key'),
    );
  }

  async function lookUp(name: string, sender: RequestSender): Promise<CachedKey | undefined> {
    const startGeneration = generation;
    let rejection = invalidKeyMessage;
    // A revoked key counts against its network like an unknown one; only its error message differs.
    const readOrReject = async () => {
      const key = await readKey(Buffer.from(name, 'base64'));
      if (!key || 'viewer' in key) return key;
      rejection = 'This API key has been revoked';
      return undefined;
    };
    const entry = knownKeys.has(name)
      ? await readOrReject()
      : await unknownKeys.lookUp(sender, readOrReject);
    if (entry) {
      if (knownKeys.size >= knownMax) knownKeys.clear();
      knownKeys.add(name);
    } else {
      knownKeys.delete(name);
      unknownKeys.remember(name, rejection);
    }
    // A key that was read before a change was announced must not be cached after the announcement.
    if (entry && startGeneration === generation) {
      if (cachedKeys.size >= cachedMax) cachedKeys.clear();
      cachedKeys.set(name, entry);
    }
    return entry;
  }

  /** Concurrent requests with the same key share one look-up. */
  function lookUpOnce(name: string, sender: RequestSender): Promise<CachedKey | undefined> {
    const pending = pendingLookUps.get(name);
    if (pending) return pending;
    const started = lookUp(name, sender).finally(() => {
      if (pendingLookUps.get(name) === started) pendingLookUps.delete(name);
    });
    pendingLookUps.set(name, started);
    return started;
  }

  return {
    /**
     * Returns the viewer of a key. Throws UNAUTHENTICATED for an invalid key, and RATE_LIMITED if
     * the key was not looked up because the sender's network sent too many invalid keys.
     */
    async identify(key: string, sender: RequestSender): Promise<Viewer> {
      const name = hashName(key);
      let entry = cachedKeys.get(name);
      if (!entry || !isFresh(entry)) {
        const rejection = isWellFormedKey(key) ? unknownKeys.rejectionOf(name) : invalidKeyMessage;
        if (rejection !== undefined) throw unauthenticated(rejection);
        entry = await lookUpOnce(name, sender);
      }
      if (!entry) throw unauthenticated(unknownKeys.rejectionOf(name) ?? invalidKeyMessage);
      if (entry.expiresAtMs <= clock().getTime())
        throw unauthenticated(
          `This API key expired at ${new Date(entry.expiresAtMs).toISOString()}`,
        );
      return entry.viewer;
    },
    /** Call this after every change of a key, a membership or a feature. */
    forget(): void {
      generation += 1;
      cachedKeys.clear();
      // Requests that come after the announcement must not share a look-up that began before it.
      pendingLookUps.clear();
    },
  };
}

const invalidKeyMessage = 'Invalid or missing API key';

// The error is created only when it is thrown: capturing the stack costs more than the rest of the
// look-up.
const unauthenticated = (message: string) => new AppError('UNAUTHENTICATED', message);

function viewerOf(row: KeyRow): Viewer {
  const { id: keyId, organizationId, limitPerMinute } = row;
  const features = new Set(row.features);
  if (row.userId === null)
    return { kind: 'ORGANIZATION_KEY', keyId, organizationId, features, limitPerMinute };
  return {
    kind: 'USER_KEY',
    keyId,
    organizationId,
    userId: row.userId,
    isAdmin: row.isAdmin === true,
    features,
    limitPerMinute,
  };
}
