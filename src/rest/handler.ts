import { Response } from '@whatwg-node/fetch';
import type { AdmitRequest } from '../access/admission.ts';
import type { Context } from '../access/context.ts';
import { executeOnce } from '../access/idempotent-request.ts';
import { requireScopes } from '../access/scopes.ts';
import { watchAccess } from '../access/watch-access.ts';
import { entityTagOf } from '../http/entity-tags.ts';
import { errorResponse } from '../http/error-response.ts';
import { acceptsEvents } from '../http/event-stream.ts';
import { isForm } from '../http/multipart.ts';
import type { RequestContext, RequestHandler } from '../http/request-context.ts';
import { TextResponse } from '../http/text-response.ts';
import { AppError } from '../platform/errors.ts';
import { createSeal } from '../platform/idempotency/seal.ts';
import type { Log } from '../platform/log.ts';
import { downloadResponse } from './download.ts';
import { preconditionOf, runUnder } from './entity-tag.ts';
import { createHashedUpload } from './hashed-upload.ts';
import { fingerprintOf, readIdempotencyKey } from './idempotency-key.ts';
import { listLinks } from './list-links.ts';
import type { RestRouter, RouteMatch } from './load-routes.ts';
import { executeOperation } from './operation.ts';
import { wantsAsync, wantsDryRun } from './prefer.ts';
import { filePart, readUpload } from './read-upload.ts';
import { rejectAdmitted } from './reject-admitted.ts';
import type { RequestBodies } from './request-bodies.ts';
import type { RequestInput } from './request-input.ts';
import { bodyOf, successResponse, taggedResponse } from './respond.ts';
import { createStreamResponses } from './stream-responses.ts';
import { collectVariables } from './variables.ts';

/**
 * Runs work with a context that changes nothing: its database rolls back, and its other services
 * only pretend to work.
 */
export type DryRun = <Result>(
  context: Context,
  run: (context: Context) => Promise<Result>,
) => Promise<Result>;

type RestDependencies = {
  router: RestRouter;
  admit: AdmitRequest;
  bodies: RequestBodies;
  dryRun: DryRun;
  secret: string;
  log: Log;
};

/**
 * Handles a documented call: authenticates the key, checks limit, scopes and input, and executes
 * the one operation of its route.
 */
export function createRestHandler({
  router,
  admit,
  bodies,
  dryRun,
  secret,
  log,
}: RestDependencies): RequestHandler {
  const seal = createSeal(secret, 'idempotent answers of REST');
  const { startUnrepeatableStream, acceptedResponse, exportRows } = createStreamResponses(log);

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

  /** Executes the operation of the call, once for each Idempotency-Key. */
  async function execute(
    { route, params }: RouteMatch,
    input: RequestInput,
    request: Request,
    requestContext: RequestContext,
    context: Context,
  ): Promise<Response> {
    const { area, operation, subscription, resource } = route;
    const { method, pathname, headers } = requestContext;
    const { key, bytes, file, variables } = input;
    if (subscription && acceptsEvents(request.headers))
      return startUnrepeatableStream(subscription, input, requestContext, context);
    const run = (admitted: Context) => executeOperation(operation, admitted, variables);
    if (operation.returnsFile)
      return downloadResponse(await run(context), request, headers, () =>
        watchAccess(context, operation.scopes, () => run(context)),
      );
    if (route.method === 'GET') {
      const rows = await exportRows({ route, params }, input, request, requestContext, context);
      if (rows) return rows;
      const data = await run(context);
      const body = bodyOf(area.envelope, data);
      const links = operation.listsPages && listLinks(data, body, requestContext, context.origin);
      if (links) headers['link'] = links;
      const text = JSON.stringify(body);
      if (!operation.hasEntityTag && !resource) return successResponse(text, headers);
      const tag = resource ? entityTagOf(text) : String(body['etag']);
      return taggedResponse({ text, tag }, request, headers);
    }
    const precondition = preconditionOf(route, request, { context, params });
    const runToText = async (admitted: Context) => {
      const data = await runUnder(precondition, admitted.database, (database) =>
        run({ ...admitted, database }),
      );
      return JSON.stringify(bodyOf(area.envelope, data));
    };
    const respond = (text: string) =>
      route.acceptedEvents
        ? acceptedResponse(route.acceptedEvents, text, request, requestContext, context)
        : successResponse(text, headers);
    if (key === undefined) return respond(await runToText(context));
    const fingerprintFor = (content: Uint8Array) =>
      fingerprintOf(secret, { method, pathname, body: content });
    const wholeFingerprint = file && (async () => fingerprintFor(await file.digest()));
    const { text, replayed } = await executeOnce(
      {
        ...{ context, key, fingerprint: fingerprintFor(bytes), wholeFingerprint },
        ...(route.definition.answersSecret && { seal }),
      },
      runToText,
    );
    if (replayed) headers['idempotency-replayed'] = 'true';
    return respond(text);
  }

  return async (request, requestContext) => {
    const { headers } = requestContext;
    let input: RequestInput | undefined;
    try {
      const matched = await matchRoute(request, requestContext);
      const isDryRun = wantsDryRun(request.headers, matched.route);
      const match = isDryRun ? matched : asPreferred(matched, request.headers);
      const { area, operation, check } = match.route;
      requestContext.operation = operation.name;
      requestContext.route = match.route.path;
      if (isDryRun) headers['preference-applied'] = 'dry-run';
      const admitted = await admit(request, requestContext, { accepts: area.key });
      requireScopes(admitted, operation.scopes);
      const checkAccess = async () => {
        if (!check) return;
        const checkMatch = { ...match, route: { ...match.route, operation: check } };
        await executeOperation(
          check,
          admitted,
          variablesOf(checkMatch, request, requestContext, {}),
        );
      };
      const checkedInput = await readChecked(request, checkAccess, () =>
        readInput(match, request, requestContext, admitted),
      );
      input = checkedInput;
      const context = { ...admitted, viewer: await admitted.currentViewer() };
      if (!isDryRun) return await execute(match, checkedInput, request, requestContext, context);
      // Nothing is recorded, so there is nothing that a repetition could do twice.
      const unrecorded = { ...checkedInput, key: undefined };
      return await dryRun(context, async (rehearsed) => {
        const response = await execute(match, unrecorded, request, requestContext, rehearsed);
        // The events of a stream are made before the dry run ends.
        return response instanceof TextResponse
          ? response
          : new Response(await response.text(), { status: response.status, headers });
      });
    } catch (error) {
      return errorResponse(error, requestContext, log);
    } finally {
      await input?.release();
    }
  };
}

/** The call that a client means who prefers not to wait for the end of a run. */
function asPreferred(match: RouteMatch, headers: Headers): RouteMatch {
  const { subscription: _, ...route } = match.route;
  if (!route.durable || !wantsAsync(headers)) return match;
  const { operation, events: acceptedEvents, envelope } = route.durable;
  const area = { ...route.area, envelope };
  return { ...match, route: { ...route, operation, area, acceptedEvents } };
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
