import { Request } from '@whatwg-node/fetch';
import type { AdmitRequest } from '../access/admission.ts';
import { requireScopes } from '../access/scopes.ts';
import { watchAccess } from '../access/watch-access.ts';
import { errorResponse } from '../http/error-response.ts';
import type { RequestHandler } from '../http/request-context.ts';
import { MethodNotAllowed, noSuchPath } from '../http/router.ts';
import type { Log } from '../platform/log.ts';
import { downloadResponse } from './download.ts';
import type { RestRouter } from './load-routes.ts';
import { executeOperation } from './operation.ts';
import { createStreamResponses } from './stream-responses.ts';
import { collectVariables } from './variables.ts';

/**
 * `organizationHeader` is the header that selects the organization of a session. A link cannot send
 * headers, so it names the organization in its query.
 */
type SessionFilesDependencies = {
  router: RestRouter;
  admit: AdmitRequest;
  organizationHeader: string;
  log: Log;
};

const filePath = /^\/files\/([^/]+)\/([^/]+)$/;

/** The REST call for a path below /files. Ids of assistants are never one of these words. */
function restPathOf(owner: string, id: string): string {
  if (owner === 'conversations') return `/api/conversations/v1/conversations/${id}/export`;
  if (owner === 'attachments') return `/api/conversations/v1/attachments/${id}/content`;
  if (owner === 'statements') return `/api/sponsorship/v1/statements/${id}/pdf`;
  if (owner === 'statement-entries') return `/api/sponsorship/v1/statements/${id}/entries`;
  return `/api/assistant-files/v1/assistants/${owner}/files/${id}/content`;
}

/**
 * Serves files of assistants and conversations and statements of sponsorships to signed-in people,
 * because a link in a browser cannot send an API key. Mounted at /files.
 */
export function createSessionFiles({
  router,
  admit,
  organizationHeader,
  log,
}: SessionFilesDependencies): RequestHandler {
  const { exportRows } = createStreamResponses(log);
  return async (request, requestContext) => {
    const { method, pathname, query, headers } = requestContext;
    headers['cross-origin-resource-policy'] = 'same-origin';
    try {
      const [, owner, id] = filePath.exec(pathname) ?? [];
      if (owner === undefined || id === undefined) throw noSuchPath();
      if (method !== 'GET' && method !== 'HEAD') throw new MethodNotAllowed('GET, HEAD');
      const match = router.match('GET', restPathOf(owner, id));
      const { operation } = match.route;
      requestContext.operation = operation.name;
      requestContext.route = '/files/:assistantId/:documentId';
      const context = await admit(
        inOrganization(request, query.get('organization'), organizationHeader),
        requestContext,
      );
      requireScopes(context, operation.scopes);
      const variables = collectVariables(match, {
        params: match.params,
        query,
        body: {},
        headers: request.headers,
      });
      const rows = await exportRows(match, { variables }, request, requestContext, context);
      if (rows) return rows;
      if (!operation.returnsFile) throw noSuchPath();
      const readFile = () => executeOperation(operation, context, variables);
      return await downloadResponse(await readFile(), request, headers, () =>
        watchAccess(context, operation.scopes, readFile),
      );
    } catch (error) {
      return errorResponse(error, requestContext, log);
    }
  };
}

function inOrganization(
  request: globalThis.Request,
  organization: string | null,
  header: string,
): globalThis.Request {
  if (organization === null) return request;
  const headers = new Headers(request.headers);
  headers.set(header, organization);
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}
