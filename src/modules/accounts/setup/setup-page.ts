import type { RequestContext, RequestHandler } from '../../../http/request-context.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { validSetupToken } from './setup-token.ts';

type PageOptions = { status: number; cacheControl: string };

/**
 * Serves the console at /setup to the person who starts Atrium for the first time. The status says
 * whether the link is valid; the page asks for it with a HEAD request.
 */
export function createSetupPage({
  database,
  clock,
  page,
}: {
  database: Database;
  clock: Clock;
  page: (request: Request, requestContext: RequestContext, options: PageOptions) => Response;
}): RequestHandler {
  return async (request, requestContext) => {
    const token = requestContext.query.get('token') ?? '';
    const [stored] = await database.sql`
      select id from verifications where ${validSetupToken(token, clock())}`;
    return page(request, requestContext, {
      status: stored ? 200 : 404,
      cacheControl: 'no-store',
    });
  };
}
