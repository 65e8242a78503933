import type { AdmitRequest } from '../access/admission.ts';
import type { Context } from '../access/context.ts';
import { executeOnce } from '../access/idempotent-request.ts';
import { requireScopes } from '../access/scopes.ts';
import { watchAccess } from '../access/watch-access.ts';
import { toClientError } from '../http/client-error.ts';
import { errorBodyOf, errorResponse } from '../http/error-response.ts';
import { acceptsEvents, eventText } from '../http/event-stream.ts';
import { isForm } from '../http/multipart.ts';
import type { RequestContext, RequestHandler } from '../http/request-context.ts';
import { AppError, inputError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { downloadResponse } from './download.ts';
import { createHashedUpload, type HashedUpload } from './hashed-upload.ts';
import { fingerprintOf, readIdempotencyKey } from './idempotency-key.ts';
import type { RestRouter, RouteMatch } from './load-routes.ts';
import { executeOperation } from './operation.ts';
import { filePart, readUpload } from './read-upload.ts';
import { rejectAdmitted } from './reject-admitted.ts';
import type { RequestBodies } from './request-bodies.ts';
import { bodyOf, successResponse, taggedResponse } from './respond.ts';
import { requestedFormat, rowResponse } from './row-export.ts';
import { subscriptionStream } from './subscription-stream.ts';
import { collectVariables } from './variables.ts';

type RestDependencies = {
  router: RestRouter;
  admit: AdmitRequest;
  bodies: RequestBodies;
  secret: string;
  log: Log;
};

type RequestInput = {
  key: string | undefined;
  /** The body as it was sent; empty if it is an upload. */
  bytes: Uint8Array;
  file: HashedUpload | undefined;
  variables: Record<string, unknown>;
  release: () => Promise<void>;
};

/**
 * Handles a documented call: authenticates the key, checks limit, scopes and input, and executes
 * the one operation of its route.
 */
export function createRestHandler({
  router,
  admit,
  bodies,
  secret,
  log,
}: RestDependencies): RequestHandler {
  async function matchRoute(request: Request, requestContext: RequestContext): Promise<RouteMatch> {
    try {
      return router.match(requestContext.method, requestContext.pathname);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return rejectAdmitted(request, requestContext, admit, error);
    }
  }

  /** Reads the body and the variables. The caller releases the body. */
  async function readInput(
    match: RouteMatch,
    request: Request,
    requestContext: RequestContext,
    context: Context,
  ): Promise<RequestInput> {
    const { operation, method } = match.route;
    const key = readIdempotencyKey(request.headers, match.route);
    const hasNoJsonBody = method === 'GET' || method === 'DELETE' || operation.takesFile;
    const { object, bytes, release } = await (hasNoJsonBody
      ? bodies.none()
      : bodies.jsonOrForm(request, context, operation));
    try {
      const file = operation.takesFile ? createHashedUpload(readUpload(request)) : undefined;
      const body = file ? { [filePart]: file.upload } : object;
      const variables = variablesOf(match, request, requestContext, body);
      return { key, bytes, file, variables, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  return async (request, requestContext) => {
    const { requestId, method, pathname, headers } = requestContext;
    let input: RequestInput | undefined;
    try {
      const match = await matchRoute(request, requestContext);
      const { area, operation, check, subscription, rowExport } = match.route;
      requestContext.operation = operation.name;
      const context = await admit(request, requestContext, { accepts: area.key });
      requireScopes(context, operation.scopes);
      const checkAccess = async () => {
        if (!check) return;
        const checkMatch = { ...match, route: { ...match.route, operation: check } };
        await executeOperation(
          check,
          context,
          variablesOf(checkMatch, request, requestContext, {}),
        );
      };
      input = await readChecked(request, checkAccess, () =>
        readInput(match, request, requestContext, context),
      );
      const { key, bytes, file, variables } = input;
      if (subscription && acceptsEvents(request.headers)) {
        if (key !== undefined)
          throw inputError(
            'Idempotency-Key',
            'INVALID',
            'An event stream cannot be repeated: leave out the Idempotency-Key, or accept application/json',
          );
        const results = await subscription.start(context, variables);
        if (!(Symbol.asyncIterator in results))
          throw results.errors?.[0] ?? new Error(`${operation.name} gave no events`);
        const toErrorEvent = (error: unknown) => ({
          name: 'error',
          data: errorBodyOf(toClientError(error, { requestId, log })),
        });
        return subscriptionStream(results, { headers, write: eventText, toErrorEvent });
      }
      const format =
        rowExport && requestedFormat(requestContext.query, request.headers.get('accept'));
      if (rowExport && format) {
        const results = await rowExport.start(context, variables);
        if (!(Symbol.asyncIterator in results))
          throw results.errors?.[0] ?? new Error(`${operation.name} gave no rows`);
        const { columns } = rowExport;
        const name = match.route.segments.at(-1) ?? 'rows';
        return await rowResponse({
          ...{ results, columns, format, name, headers, method: request.method },
          // Logs an unexpected error.
          onError: (error) => toClientError(error, { requestId, log }),
        });
      }
      const run = (admittedContext: Context) =>
        executeOperation(operation, admittedContext, variables);
      const runToText = async (admittedContext: Context) =>
        JSON.stringify(bodyOf(area.envelope, await run(admittedContext)));
      if (operation.returnsFile)
        return await downloadResponse(await run(context), request, headers, () =>
          watchAccess(context, () => run(context)),
        );
      if (operation.hasEntityTag)
        return taggedResponse(bodyOf(area.envelope, await run(context)), request, headers);
      if (key === undefined) return successResponse(await runToText(context), headers);
      const fingerprintFor = (content: Uint8Array) =>
        fingerprintOf(secret, { method, pathname, body: content });
      const wholeFingerprint = file && (async () => fingerprintFor(await file.digest()));
      const { text, replayed } = await executeOnce(
        { context, key, fingerprint: fingerprintFor(bytes), wholeFingerprint },
        runToText,
      );
      if (replayed) headers['idempotency-replayed'] = 'true';
      return successResponse(text, headers);
    } catch (error) {
      return errorResponse(error, requestContext, log);
    } finally {
      await input?.release();
    }
  };
}

const variablesOf = (
  match: RouteMatch,
  { headers }: Request,
  { query }: RequestContext,
  body: Record<string, unknown>,
) => collectVariables(match, { params: match.params, query, body, headers });

/**
 * Checks the access before a form is read, which can be large, and before a stored answer can be
 * repeated. In all other cases the operation itself checks it, so only an error of the input needs
 * the check first: 403 comes before 400.
 */
async function readChecked<Input>(
  { headers }: Request,
  checkAccess: () => Promise<void>,
  readInput: () => Promise<Input>,
): Promise<Input> {
  const isCheckedFirst = isForm(headers) || headers.has('idempotency-key');
  if (isCheckedFirst) await checkAccess();
  try {
    return await readInput();
  } catch (error) {
    if (!isCheckedFirst) await checkAccess();
    throw error;
  }
}
