import type { Sender } from '../../graph/admission.ts';
import type { Viewer } from '../../graph/context.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { hashName } from '../../platform/hash.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Log } from '../../platform/log.ts';
import { isWellFormedKey } from './key-format.ts';
import { createUnknownKeys } from './unknown-keys.ts';

// On several machines a revoked key, a removed member or a changed feature is noticed when this
// time is over; the process that made the change forgets at once. Within a second all have noticed,
// also where a read took its time.
const rememberedMs = 750;
const rememberedMax = 10_000;
const seenMax = 100_000;
const touchedEveryMs = 60_000;

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

type Revoked = { revokedAt: string };

type Remembered = { viewer: Viewer; expiresAtMs: number; untilMs: number };

/** The viewers of recently used keys, by the hash of the key. */
export function createKeyring({
  database,
  clock,
  log,
  limits,
}: {
  database: Database;
  clock: Clock;
  log: Log;
  limits: Limits;
}) {
  const remembered = new Map<string, Remembered>();
  const lookups = new Map<string, Promise<Remembered | undefined>>();
  const unknown = createUnknownKeys({ limits });
  // Keys that this process has found before: looking for them again is never counted as a guess.
  const seen = new Set<string>();
  let generation = 0;

  async function look(hash: Buffer): Promise<Remembered | Revoked | undefined> {
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
    if (now - Date.parse(row.lastUsedAt ?? '1970-01-01T00:00:00.000Z') > touchedEveryMs)
      touch(row.id, new Date(now));
    return {
      viewer: viewerOf(row),
      expiresAtMs: row.expiresAt ? Date.parse(row.expiresAt) : Number.POSITIVE_INFINITY,
      untilMs: now + rememberedMs,
    };
  }

  // Nobody waits for the note of the last use, and a lost one is no fault of the request.
  function touch(id: string, lastUsedAt: Date): void {
    database.prisma.apiKey
      .updateMany({ where: { id }, data: { lastUsedAt } })
      .catch((error: unknown) => log.warn({ err: error }, 'a key’s last use was not noted'));
  }

  async function lookFor(name: string, sender: Sender): Promise<Remembered | undefined> {
    const asked = generation;
    let refusal = unknownKey;
    // A revoked key counts against its network like an unknown one; it only learns more.
    const ask = async () => {
      const key = await look(Buffer.from(name, 'base64'));
      if (!key || 'viewer' in key) return key;
      refusal = 'This API key has been revoked';
      return undefined;
    };
    const found = seen.has(name) ? await ask() : await unknown.lookFor(sender, ask);
    if (found) {
      if (seen.size >= seenMax) seen.clear();
      seen.add(name);
    } else {
      seen.delete(name);
      unknown.note(name, clock().getTime(), refusal);
    }
    // What was read before a change was announced must not outlive the announcement.
    if (found && asked === generation) {
      if (remembered.size >= rememberedMax) remembered.clear();
      remembered.set(name, found);
    }
    return found;
  }

  /** One look for all requests that bring the same key at the same moment. */
  function lookOnce(name: string, sender: Sender): Promise<Remembered | undefined> {
    const running = lookups.get(name);
    if (running) return running;
    const started = lookFor(name, sender).finally(() => {
      if (lookups.get(name) === started) lookups.delete(name);
    });
    lookups.set(name, started);
    return started;
  }

  return {
    /**
     * Whose key it is. 401 where it opens nothing; 429 where it was not looked for, because the
     * sender's network sent too many such keys.
     */
    async identify(key: string, sender: Sender): Promise<Viewer> {
      const name = hashName(key);
      const now = clock().getTime();
      let found = remembered.get(name);
      if (!found || found.untilMs <= now) {
        const refusal = isWellFormedKey(key) ? unknown.refusalOf(name, now) : unknownKey;
        if (refusal !== undefined) throw invalidKey(refusal);
        found = await lookOnce(name, sender);
      }
      if (!found) throw invalidKey(unknown.refusalOf(name, now) ?? unknownKey);
      if (found.expiresAtMs <= now)
        throw invalidKey(`This API key expired at ${new Date(found.expiresAtMs).toISOString()}`);
      return found.viewer;
    },
    /** To be called after every change of a key, a membership or a feature. */
    forget(): void {
      generation += 1;
      remembered.clear();
      // Nobody who asks after the announcement shares a look that began before it.
      lookups.clear();
    },
  };
}

const unknownKey = 'Invalid or missing API key';

// Made only to be thrown: an error takes the stack, which costs more than the rest of the look-up.
const invalidKey = (message: string) => new AppError('UNAUTHENTICATED', message);

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
