import { Response } from '@whatwg-node/fetch';
import { preferenceFor } from '../../../http/accept.ts';
import type { ClientAddressOf } from '../../../http/client-address.ts';
import { errorResponse } from '../../../http/error-response.ts';
import type { RequestContext, RequestHandler } from '../../../http/request-context.ts';
import { allowOf, MethodNotAllowed } from '../../../http/router.ts';
import { type Database, unscopedDatabase } from '../../../platform/database/database.ts';
import { type AppError, rateLimited } from '../../../platform/errors.ts';
import type { RateLimits } from '../../../platform/limits.ts';
import type { Log } from '../../../platform/log.ts';
import { networkOf } from '../../../platform/network-of.ts';

export const shortLinksPath = '/s';
const shortLinkPath = /^\/s\/([^/]{1,200})\/?$/;
const codeForm = /^[2-9a-hjkmnp-z]{10}$/;

/**
 * Unknown codes of a network in an hour. There are 31^10 codes: with a million links, 100 guesses
 * an hour find one in about 900 years.
 */
const unknownCodesMax = 100;
const windowSeconds = 3_600;

type ShortLinkDependencies = {
  database: Database;
  limits: RateLimits;
  clientAddressOf: ClientAddressOf;
  log: Log;
  /** Answers with the console, whose page at this path says that it was opened too often. */
  page: (
    request: Request,
    requestContext: RequestContext,
    options: { status: number; cacheControl: string },
  ) => Response;
};

/**
 * Leads from the short address of a link to its page. An unknown code leads to the page as well,
 * which says that there is no such link.
 */
export const createShortLinkHandler =
  ({ database, limits, clientAddressOf, log, page }: ShortLinkDependencies): RequestHandler =>
  async (request, requestContext) => {
    const { method, pathname, headers } = requestContext;
    requestContext.operation = 'ShortLink';
    headers['cache-control'] = 'no-store';
    headers['referrer-policy'] = 'no-referrer';
    try {
      if (method !== 'GET' && method !== 'HEAD') throw new MethodNotAllowed(allowOf(['GET']));
      const network = networkOf(clientAddressOf(request, requestContext.clientAddress));
      const counter = `unknown-short-links:${network}`;
      const used = await limits.peek(counter, unknownCodesMax, windowSeconds);
      if (used.remaining === 0) {
        if (!preferenceFor(request.headers.get('accept'), 'text/html').isNamed)
          throw tooManyUnknownCodes(used.retryAfterSeconds);
        headers['retry-after'] = String(used.retryAfterSeconds);
        return page(request, requestContext, { status: 429, cacheControl: 'no-store' });
      }
      const [, code = ''] = shortLinkPath.exec(pathname) ?? [];
      const token = await findToken(code.toLowerCase(), database);
      if (token === undefined) await limits.consume(counter, unknownCodesMax, windowSeconds);
      headers['location'] = `/auth?sponsored=${token ?? 'unknown'}`;
      return new Response(null, { status: 302, headers });
    } catch (error) {
      return errorResponse(error, requestContext, log);
    }
  };

async function findToken(code: string, database: Database): Promise<string | undefined> {
  if (!codeForm.test(code)) return undefined;
  // Whoever has the code may open the link, whose partner may be any.
  const [link] = await unscopedDatabase(database).sql<{ token: string }>`
    select token from links where short_code = ${code}`;
  return link?.token;
}

const tooManyUnknownCodes = (retryAfterSeconds: number): AppError =>
  rateLimited(
    `Many addresses that do not exist were opened from your network. Please try again in ${Math.ceil(retryAfterSeconds / 60)} min.`,
    retryAfterSeconds,
  );
