import type { HttpRequest } from '../fuzz/send.ts';

/**
 * A request that is as expensive as the limits allow. It is built only when it is sent, because all
 * of them together take gigabytes.
 */
export type AttackRequest = {
  name: string;
  to: 'api' | 'vault' | 'vectorDb';
  build: () => HttpRequest;
};

/** A request whose body is JSON. */
export const jsonAttack = (
  name: string,
  path: string,
  headers: Record<string, string>,
  body: () => unknown,
  method = 'POST',
): AttackRequest => ({
  name,
  to: 'api',
  build: () => ({
    method,
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body())),
  }),
});
