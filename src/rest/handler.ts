import type { Admit } from '../graph/admission.ts';
import type { Context } from '../graph/context.ts';
import { refusalOf } from '../graph/errors.ts';
import { requireScopes } from '../graph/scopes.ts';
import { emptyBody, readJsonBody } from '../platform/body.ts';
import type { Handler } from '../platform/http.ts';
import type { Log } from '../platform/log.ts';
import { fingerprintOf, readIdempotencyKey, takesIdempotencyKey } from './idempotency-key.ts';
import { bodyOf, refused, success } from './respond.ts';
import { MethodNotAllowed, type Router } from './router.ts';
import { runOnce } from './run-once.ts';
import { collectVariables } from './variables.ts';

type RestParts = { router: Router; admit: Admit; secret: string; log: Log };

/** Runs a documented call: key, limit, scopes, input, then the one operation of its row. */
export function createRestHandler({ router, admit, secret, log }: RestParts): Handler {
  return async (request, visit) => {
    const { requestId, method, pathname, headers } = visit;
    try {
      const match = router.match(method, pathname);
      const { area, operation, method: routeMethod } = match.route;
      visit.operation = operation.name;
      const context = await admit(request, { requestId, headers }, area.key);
      requireScopes(context, operation.scopes);
      const key = takesIdempotencyKey(routeMethod) ? readIdempotencyKey(request.headers) : undefined;
      const { object, bytes } = routeMethod === 'GET' || routeMethod === 'DELETE' ? emptyBody : await readJsonBody(request);
      const variables = collectVariables(match, { params: match.params, query: visit.query, body: object });
      const call = async (admitted: Context) => {
        const { data, errors } = await operation.execute(admitted, variables);
        if (errors?.[0] || !data) throw errors?.[0] ?? new Error(`${operation.name} answered nothing`);
        return JSON.stringify(bodyOf(area.envelope, data));
      };
      if (key === undefined) return success(await call(context), headers);
      const { text, replayed } = await runOnce({ context, key, fingerprint: fingerprintOf(secret, { method, pathname, body: bytes }) }, call);
      if (replayed) headers['idempotency-replayed'] = 'true';
      return success(text, headers);
    } catch (error) {
      if (error instanceof MethodNotAllowed) headers['allow'] = error.allow;
      return refused(refusalOf(error, { requestId, log }), headers);
    }
  };
}
