import { Response } from '@whatwg-node/fetch';
import { errorResponse } from '../../../http/error-response.ts';
import type { RequestHandler } from '../../../http/request-context.ts';
import { MethodNotAllowed, noSuchPath } from '../../../http/router.ts';
import { type Database, unscopedDatabase } from '../../../platform/database/database.ts';
import type { LogoType } from '../../../platform/database/generated/client.ts';
import type { Log } from '../../../platform/log.ts';
import { logoMediaTypes } from './logo.ts';

export const logosPath = '/sponsor-logos';
const logoPath = /^\/sponsor-logos\/([0-9a-f]{64})$/;

type StoredLogo = { logo: Uint8Array<ArrayBuffer> | null; type: LogoType | null };

/**
 * Serves the logos of partners to visitors of their links, who have no account yet. The address has
 * the hash of the content. Browsers ask again after five minutes, so a deleted logo disappears.
 */
export const createLogoHandler =
  (database: Database, log: Log): RequestHandler =>
  async (_, requestContext) => {
    const { method, pathname, headers } = requestContext;
    try {
      const [, hash] = logoPath.exec(pathname) ?? [];
      if (hash === undefined) throw noSuchPath();
      if (method !== 'GET' && method !== 'HEAD') throw new MethodNotAllowed('GET, HEAD');
      // Whoever knows the hash has seen the page of a link, whose partner may be any.
      const [stored] = await unscopedDatabase(database).sql<StoredLogo>`
        select logo, logo_type as type from sponsor_brandings where logo_hash = ${hash} limit 1`;
      if (!stored?.logo || !stored.type) throw noSuchPath();
      headers['content-type'] = logoMediaTypes[stored.type];
      headers['content-length'] = String(stored.logo.byteLength);
      headers['x-content-type-options'] = 'nosniff';
      headers['content-security-policy'] = "default-src 'none'; sandbox";
      headers['content-disposition'] = 'inline';
      headers['cross-origin-resource-policy'] = 'same-origin';
      headers['cache-control'] = 'public, max-age=300';
      return new Response(method === 'HEAD' ? null : stored.logo, { status: 200, headers });
    } catch (error) {
      return errorResponse(error, requestContext, log);
    }
  };
