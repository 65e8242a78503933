import type { Admit } from '../graph/admission.ts';
import type { Context } from '../graph/context.ts';
import { refusalOf } from '../graph/errors.ts';
import { executeOnce } from '../graph/idempotent-request.ts';
import { requireScopes } from '../graph/scopes.ts';
import { watchAccess } from '../graph/watch-access.ts';
import { inputError } from '../platform/errors.ts';
import type { Handler, RequestContext } from '../platform/http.ts';
import type { Log } from '../platform/log.ts';
import { downloaded } from './download.ts';
import { acceptsEvents, asText, eventStream } from './event-stream.ts';
import { hashedUpload } from './hashed-upload.ts';
import { fingerprintOf, readIdempotencyKey } from './idempotency-key.ts';
import { answerOf } from './operation.ts';
import type { HeldBody, RequestBodies } from './request-bodies.ts';
import { bodyOf, errorBodyOf, refused, success, tagged } from './respond.ts';
import { type Match, MethodNotAllowed, type Router } from './router.ts';
import { filePart, uploadIn } from './uploads.ts';
import { collectVariables } from './variables.ts';

type RestParts = { router: Router; admit: Admit; bodies: RequestBodies; secret: string; log: Log };

/** Runs a documented call: key, limit, scopes, input, then the one operation of its row. */
export function createRestHandler({ router, admit, bodies, secret, log }: RestParts): Handler {
  /**
   * What no call serves is refused after the key, and counts: whoever has no key learns nothing of
   * the paths.
   */
  async function matchOrAdmit(request: Request, requestContext: RequestContext): Promise<Match> {
    try {
      return router.match(requestContext.method, requestContext.pathname);
    } catch (error) {
      await admit(request, requestContext, { accepts: 'ANY_KEY' });
      throw error;
    }
  }

  return async (request, requestContext) => {
    const { requestId, method, pathname, headers } = requestContext;
    let received: HeldBody | undefined;
    try {
      const match = await matchOrAdmit(request, requestContext);
      const { area, operation, check, subscription, method: routeMethod } = match.route;
      requestContext.operation = operation.name;
      const { takesFile } = operation;
      const context = await admit(request, requestContext, { accepts: area.key });
      requireScopes(context, operation.scopes);
      if (check) {
        const asked = {
          params: match.params,
          query: requestContext.query,
          body: {},
          headers: request.headers,
        };
        await answerOf(
          check,
          context,
          collectVariables({ ...match, route: { ...match.route, operation: check } }, asked),
        );
      }
      const key = readIdempotencyKey(request.headers, match.route);
      const hasNoObject = routeMethod === 'GET' || routeMethod === 'DELETE' || takesFile;
      received = await (hasNoObject
        ? bodies.none()
        : bodies.jsonOrForm(request, context, operation));
      const { object, bytes } = received;
      const file = takesFile ? hashedUpload(uploadIn(request)) : undefined;
      const body = file ? { [filePart]: file.upload } : object;
      const variables = collectVariables(match, {
        params: match.params,
        query: requestContext.query,
        body,
        headers: request.headers,
      });
      if (subscription && acceptsEvents(request.headers)) {
        if (key !== undefined)
          throw inputError(
            'Idempotency-Key',
            'INVALID',
            'An event stream cannot be repeated: leave out the Idempotency-Key, or accept application/json',
          );
        const results = await subscription(context, variables);
        if (!(Symbol.asyncIterator in results))
          throw results.errors?.[0] ?? new Error(`${operation.name} gave no events`);
        const refuse = (error: unknown) => ({
          name: 'error',
          data: errorBodyOf(refusalOf(error, { requestId, log })),
        });
        return eventStream(results, { headers, write: asText, refuse });
      }
      const run = (admitted: Context) => answerOf(operation, admitted, variables);
      const call = async (admitted: Context) =>
        JSON.stringify(bodyOf(area.envelope, await run(admitted)));
      if (operation.givesFile)
        return await downloaded(await run(context), request, headers, () =>
          watchAccess(context, () => run(context)),
        );
      if (operation.isTagged)
        return tagged(bodyOf(area.envelope, await run(context)), request, headers);
      if (key === undefined) return success(await call(context), headers);
      const print = (content: Uint8Array) =>
        fingerprintOf(secret, { method, pathname, body: content });
      const wholeFingerprint = file && (async () => print(await file.digest()));
      const { text, replayed } = await executeOnce(
        { context, key, fingerprint: print(bytes), wholeFingerprint },
        call,
      );
      if (replayed) headers['idempotency-replayed'] = 'true';
      return success(text, headers);
    } catch (error) {
      if (error instanceof MethodNotAllowed) headers['allow'] = error.allow;
      return refused(refusalOf(error, { requestId, log }), headers);
    } finally {
      await received?.release();
    }
  };
}
