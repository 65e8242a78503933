import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isWellFormedKey } from '../../../src/modules/api-keys/key-format.ts';

export type KeyRow = {
  id: string;
  kind: 'USER' | 'ORGANIZATION';
  organizationId: string;
  /** Of a user key. */
  userId?: string | null;
  /** Whether that user is an administrator. */
  isAdmin?: boolean;
  features: string[];
  limitPerMinute: number | null;
  expiresAt: string | Date | null;
};
export type FindKey = (hash: Uint8Array<ArrayBuffer>) => Promise<KeyRow | undefined>;

export class Refusal extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    organizationId: string;
    userId: string;
    isAdmin: boolean;
  }
}

const rememberedMs = 1_000;
const windowMs = 60_000;
const usualLimit = 100;

const invalidKey = () => new Refusal(401, 'Invalid or missing API key');

/** `feature` is absent where every organization may. */
type Door = { kind: KeyRow['kind']; feature?: string; name: string };
const userManagement: Door = {
  kind: 'ORGANIZATION',
  feature: 'userManagement',
  name: 'The User Management API',
};

/**
 * Key, then limit, then feature: the checks that each request passes before its input is looked at.
 */
export function guard(findKey: FindKey, { kind, feature, name: area }: Door = userManagement) {
  const remembered = new Map<string, { key: KeyRow; untilMs: number }>();
  const windows = new Map<string, { count: number; endMs: number }>();

  async function identify(authorization = ''): Promise<KeyRow> {
    const [, text = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    if (!isWellFormedKey(text)) throw invalidKey();
    const name = hash('sha256', text, 'base64');
    const known = remembered.get(name);
    const key =
      known && known.untilMs > Date.now() ? known.key : await findKey(Buffer.from(name, 'base64'));
    if (key?.kind !== kind || (key.expiresAt && Number(new Date(key.expiresAt)) <= Date.now()))
      throw invalidKey();
    if (key !== known?.key) remembered.set(name, { key, untilMs: Date.now() + rememberedMs });
    return key;
  }

  function count({ id, limitPerMinute }: KeyRow, reply: FastifyReply): void {
    const now = Date.now();
    const running = windows.get(id);
    const window = running && running.endMs > now ? running : { count: 0, endMs: now + windowMs };
    if (window !== running) windows.set(id, window);
    window.count += 1;
    const limit = limitPerMinute ?? usualLimit;
    reply.header('X-RateLimit-Limit', limit);
    reply.header('X-RateLimit-Remaining', Math.max(0, limit - window.count));
    reply.header('X-RateLimit-Reset', Math.ceil(window.endMs / 1000));
    if (window.count <= limit) return;
    const waitSeconds = Math.max(1, Math.ceil((window.endMs - now) / 1000));
    reply.header('Retry-After', waitSeconds);
    throw new Refusal(429, `Rate limit exceeded; try again in ${waitSeconds} s`);
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const key = await identify(request.headers.authorization);
    count(key, reply);
    if (feature !== undefined && !key.features.includes(feature))
      throw new Refusal(403, `${area} is not enabled for this organization`);
    request.organizationId = key.organizationId;
    request.userId = key.userId ?? '';
    request.isAdmin = key.isAdmin ?? false;
  };
}
