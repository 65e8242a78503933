import { errorResponse } from '../../../http/error-response.ts';
import type { RequestHandler } from '../../../http/request-context.ts';
import { allowOf, MethodNotAllowed } from '../../../http/router.ts';
import { TextResponse } from '../../../http/text-response.ts';
import type { Log } from '../../../platform/log.ts';
import type { ReceiptKeys } from './receipt-keys.ts';

export const keySetPath = '/.well-known/atrium-receipts.json';

/**
 * Serves the public keys of receipts to everybody. Caches may keep them: a verifier that meets an
 * unknown key id asks again.
 */
export const createKeySetHandler =
  (keys: ReceiptKeys, log: Log): RequestHandler =>
  async (_, requestContext) => {
    const { method, headers } = requestContext;
    try {
      if (method !== 'GET' && method !== 'HEAD') throw new MethodNotAllowed(allowOf(['GET']));
      const text = JSON.stringify(await keys.published());
      headers['content-type'] = 'application/jwk-set+json';
      headers['cache-control'] = 'public, max-age=300';
      headers['access-control-allow-origin'] = '*';
      return new TextResponse(text, { status: 200, headers });
    } catch (error) {
      return errorResponse(error, requestContext, log);
    }
  };
