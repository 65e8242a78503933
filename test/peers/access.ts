import { hash } from 'node:crypto';
import { isWellFormedKey } from '../../src/modules/api-keys/key-format.ts';
import { HttpError } from './errors.ts';

export type KeyRow = {
  id: string;
  kind: 'USER' | 'ORGANIZATION';
  organizationId: string;
  /** The user of a user key. */
  userId?: string | null;
  /** Whether that user is an administrator. */
  isAdmin?: boolean;
  features: string[];
  limitPerMinute: number | null;
  expiresAt: string | Date | null;
};
export type FindKey = (hash: Uint8Array<ArrayBuffer>) => Promise<KeyRow | undefined>;

const keyCacheMs = 1_000;
const windowMs = 60_000;
const defaultLimitPerMinute = 100;

const invalidKey = () => new HttpError(401, 'Invalid or missing API key');

/** Without a kind each key is accepted, and without a feature every organization. */
export type RequiredKey = { kind?: KeyRow['kind']; feature?: string; name: string };
const userManagement: RequiredKey = {
  kind: 'ORGANIZATION',
  feature: 'userManagement',
  name: 'The User Management API',
};

/** Sets a header of the response. */
export type SetHeader = (name: string, value: string | number) => void;

/** Checks key, limit and feature of each request before its input is read. */
export function createAccess(
  findKey: FindKey,
  { kind, feature, name: area }: RequiredKey = userManagement,
) {
  const keyCache = new Map<string, { key: KeyRow; untilMs: number }>();
  const windows = new Map<string, { count: number; endMs: number }>();

  async function identify(authorization = ''): Promise<KeyRow> {
    const [, text = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    if (!isWellFormedKey(text)) throw invalidKey();
    const name = hash('sha256', text, 'base64');
    const cached = keyCache.get(name);
    const key =
      cached && cached.untilMs > Date.now()
        ? cached.key
        : await findKey(Buffer.from(name, 'base64'));
    const isExpired = key?.expiresAt && Number(new Date(key.expiresAt)) <= Date.now();
    if (!key || isExpired || (kind && key.kind !== kind)) throw invalidKey();
    if (key !== cached?.key) keyCache.set(name, { key, untilMs: Date.now() + keyCacheMs });
    return key;
  }

  function count({ id, limitPerMinute }: KeyRow, setHeader: SetHeader): void {
    const now = Date.now();
    const currentWindow = windows.get(id);
    const window =
      currentWindow && currentWindow.endMs > now
        ? currentWindow
        : { count: 0, endMs: now + windowMs };
    if (window !== currentWindow) windows.set(id, window);
    window.count += 1;
    const limit = limitPerMinute ?? defaultLimitPerMinute;
    setHeader('X-RateLimit-Limit', limit);
    setHeader('X-RateLimit-Remaining', Math.max(0, limit - window.count));
    setHeader('X-RateLimit-Reset', Math.ceil(window.endMs / 1000));
    if (window.count <= limit) return;
    const waitSeconds = Math.max(1, Math.ceil((window.endMs - now) / 1000));
    setHeader('Retry-After', waitSeconds);
    throw new HttpError(429, `Rate limit exceeded; try again in ${waitSeconds} s`);
  }

  return async (authorization: string | undefined, setHeader: SetHeader): Promise<KeyRow> => {
    const key = await identify(authorization);
    count(key, setHeader);
    if (feature !== undefined && !key.features.includes(feature))
      throw new HttpError(403, `${area} is not enabled for this organization`);
    return key;
  };
}
