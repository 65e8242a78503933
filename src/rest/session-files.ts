import { Request } from '@whatwg-node/fetch';
import type { Admit } from '../graph/admission.ts';
import { refusalOf } from '../graph/errors.ts';
import { requireScopes } from '../graph/scopes.ts';
import { watchAccess } from '../graph/watch-access.ts';
import { AppError } from '../platform/errors.ts';
import type { Handler } from '../platform/http.ts';
import type { Log } from '../platform/log.ts';
import { downloaded } from './download.ts';
import { answerOf } from './operation.ts';
import { refused } from './respond.ts';
import type { Router } from './router.ts';
import { collectVariables } from './variables.ts';

/**
 * `organizationHeader`: which organization a session stands for; a link can only name it in its
 * address.
 */
type FileParts = { router: Router; admit: Admit; organizationHeader: string; log: Log };

const filePath = /^\/files\/([^/]+)\/([^/]+)$/;

/**
 * The files of assistants for people who are signed in: a browser opens a link without a key.
 * Mounted at /files.
 */
export function createSessionFiles({ router, admit, organizationHeader, log }: FileParts): Handler {
  return async (request, requestContext) => {
    const { requestId, method, pathname, query, headers } = requestContext;
    headers['cross-origin-resource-policy'] = 'same-origin';
    try {
      const [, assistantId, documentId] = filePath.exec(pathname) ?? [];
      if (assistantId === undefined || documentId === undefined)
        throw new AppError('NOT_FOUND', 'There is no such path');
      if (method !== 'GET' && method !== 'HEAD') {
        headers['allow'] = 'GET, HEAD';
        throw new AppError('METHOD_NOT_ALLOWED', 'This path does not take this method');
      }
      const match = router.match(
        'GET',
        `/api/assistant-files/v1/assistants/${assistantId}/files/${documentId}/content`,
      );
      const { operation } = match.route;
      requestContext.operation = operation.name;
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
      const ask = () => answerOf(operation, context, variables);
      return await downloaded(await ask(), request, headers, () => watchAccess(context, ask));
    } catch (error) {
      return refused(refusalOf(error, { requestId, log }), headers);
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
