import type { Admit } from '../graph/admission.ts';
import { refusalOf } from '../graph/errors.ts';
import { requireScopes } from '../graph/scopes.ts';
import { readJsonObject } from '../platform/body.ts';
import type { Handler } from '../platform/http.ts';
import type { Log } from '../platform/log.ts';
import { bodyOf, refused, success } from './respond.ts';
import { MethodNotAllowed, type Router } from './router.ts';
import { collectVariables } from './variables.ts';

/** Runs a documented call: key, limit, scopes, input, then the one operation of its row. */
export function createRestHandler({ router, admit, log }: { router: Router; admit: Admit; log: Log }): Handler {
  return async (request, visit) => {
    const { requestId, method, url, headers } = visit;
    try {
      const match = router.match(method, url.pathname);
      const { area, operation, method: routeMethod } = match.route;
      visit.operation = operation.name;
      const context = await admit(request, { requestId, headers }, area.key);
      requireScopes(context, operation.scopes);
      const body = routeMethod === 'GET' || routeMethod === 'DELETE' ? {} : await readJsonObject(request);
      const variables = collectVariables(match, { params: match.params, query: url.searchParams, body });
      const { data, errors } = await operation.execute(context, variables);
      const error = errors?.[0];
      if (error || !data) return refused(refusalOf(error, { requestId, log }), headers);
      return success(bodyOf(area.envelope, data), headers);
    } catch (error) {
      if (error instanceof MethodNotAllowed) headers['allow'] = error.allow;
      return refused(refusalOf(error, { requestId, log }), headers);
    }
  };
}
