import type { Ask } from '../fuzz/send.ts';

/**
 * A request that costs as much as its limits admit. It is made when it is sent: all of them
 * together would be gigabytes.
 */
export type Attack = { name: string; to: 'api' | 'vault' | 'vectorDb'; ask: () => Ask };

/** A request whose body is JSON. */
export const jsonAttack = (
  name: string,
  path: string,
  headers: Record<string, string>,
  body: () => unknown,
  method = 'POST',
): Attack => ({
  name,
  to: 'api',
  ask: () => ({
    method,
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body())),
  }),
});
