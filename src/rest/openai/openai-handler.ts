import type { AdmitRequest } from '../../access/admission.ts';
import type { Context } from '../../access/context.ts';
import { requireScopes } from '../../access/scopes.ts';
import type { Executor } from '../../graph/execute/execute.ts';
import { type ClientError, rootCause, toClientError } from '../../http/client-error.ts';
import { errorResponse } from '../../http/error-response.ts';
import { jsonResponse } from '../../http/json-response.ts';
import type { RequestHandler } from '../../http/request-context.ts';
import { allowOf, MethodNotAllowed, noSuchPath } from '../../http/router.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, errorCatalogue, InputError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { RestRouter, RouteMatch } from '../load-routes.ts';
import { executeOperation, loadOperation } from '../operation.ts';
import { rejectAdmitted } from '../reject-admitted.ts';
import type { RequestBodies, ReservedBody } from '../request-bodies.ts';
import { bodyOf } from '../respond.ts';
import { loadSubscription } from '../subscription.ts';
import { subscriptionStream } from '../subscription-stream.ts';
import { collectVariables } from '../variables.ts';
import { chatChunks, chatCompletion } from './chat-answer.ts';
import { parseChatRequest } from './chat-request.ts';
import { ChatRequestError } from './chat-request-error.ts';
import { openAiOperations } from './operations.ts';

type OpenAiDependencies = {
  executor: Executor;
  router: RestRouter;
  admit: AdmitRequest;
  bodies: RequestBodies;
  clock: Clock;
  log: Log;
};

/**
 * The endpoints for clients of OpenAI's API: each assistant is a model. They execute the same
 * operations as the other calls and have no rules of their own. Mounted at /api/openai/v1.
 */
export function createOpenAiHandler({
  executor,
  router,
  admit,
  bodies,
  clock,
  log,
}: OpenAiDependencies): RequestHandler {
  const models = loadOperation(executor, openAiOperations.models);
  const completion = loadOperation(executor, openAiOperations.completion);
  const { start: subscribe } = loadSubscription(executor, openAiOperations.stream);
  // The completion uses the route of a run, which determines where its variables come from.
  const { route: run } = router.match('POST', '/api/assistants/v1/assistant/run');
  const route = { ...run, operation: completion };

  const modelList = async (context: Context) => {
    requireScopes(context, models.scopes);
    const { result } = await executeOperation(models, context, {});
    const { nodes }: { nodes?: unknown } = Object(result);
    return Array.isArray(nodes) ? nodes.map(toModel) : [];
  };

  return async (request, requestContext) => {
    const { requestId, pathname, headers } = requestContext;
    const method = requestContext.method === 'HEAD' ? 'GET' : requestContext.method;
    const path = pathname.slice('/api/openai/v1'.length).replace(/\/$/, '');
    const [, model] = /^\/models\/([^/]+)$/.exec(path) ?? [];
    let reservedBody: ReservedBody | undefined;
    try {
      const allowedMethod = path === '/chat/completions' ? 'POST' : 'GET';
      const isKnownPath = path === '/chat/completions' || path === '/models' || model !== undefined;
      if (!isKnownPath || method !== allowedMethod) {
        const error = isKnownPath ? new MethodNotAllowed(allowOf([allowedMethod])) : noSuchPath();
        return await rejectAdmitted(request, requestContext, admit, error);
      }
      requestContext.operation = allowedMethod === 'POST' ? 'OpenAiChatCompletion' : 'OpenAiModels';
      requestContext.route = `/api/openai/v1${model === undefined ? path : '/models/:model'}`;
      const admitted = await admit(request, requestContext, { accepts: 'USER_KEY' });
      if (path === '/models')
        return jsonResponse(
          200,
          JSON.stringify({ object: 'list', data: await modelList(admitted) }),
          headers,
        );
      if (model !== undefined) {
        const assistantModel = (await modelList(admitted)).find(({ id }) => id === model);
        if (!assistantModel) throw modelNotFound();
        return jsonResponse(200, JSON.stringify(assistantModel), headers);
      }

      reservedBody = await bodies.json(request, admitted);
      const context = { ...admitted, viewer: await admitted.currentViewer() };
      requireScopes(context, completion.scopes);
      const { assistantId, streams, includesUsage, ...body } = parseChatRequest(
        reservedBody.object,
      );
      const variables = runVariables(
        { route, params: { assistantId } },
        { query: requestContext.query, body, headers: request.headers },
      );
      const completionInfo = {
        id: `chatcmpl-${requestId}`,
        created: Math.floor(clock().getTime() / 1000),
        model: assistantId,
      };
      if (streams) {
        const results = await subscribe(context, variables);
        if (!(Symbol.asyncIterator in results))
          throw results.errors?.[0] ?? new Error('the run gave no events');
        const toErrorEvent = (error: unknown) => ({
          name: 'error',
          data: errorBody(toClientError(toModelError(error), { requestId, log }), error),
        });
        return subscriptionStream(results, {
          headers,
          write: chatChunks(completionInfo, { includesUsage }),
          toErrorEvent,
        });
      }
      const answer = bodyOf({}, await executeOperation(completion, context, variables));
      return jsonResponse(200, JSON.stringify(chatCompletion(completionInfo, answer)), headers);
    } catch (error) {
      return errorResponse(toModelError(error), requestContext, log, { body: errorBody });
    } finally {
      await reservedBody?.release();
    }
  };
}

type AssistantModel = { id: string; name: string; createdAt: string };

const toModel = ({ id, name, createdAt }: AssistantModel) => ({
  id,
  object: 'model',
  created: Math.floor(Date.parse(createdAt) / 1000),
  owned_by: 'atrium',
  name,
});

const assistantNotAvailable = 'ASSISTANT_NOT_AVAILABLE';
const modelNotFound = () =>
  new AppError(
    'NOT_FOUND',
    'Assistant not available: no assistant with this id is shared with the owner of the key. GET /models lists those that are',
    assistantNotAvailable,
  );

/**
 * Unknown assistants and assistants that are not shared with the caller answer the same error in
 * every call. An error of the schema names OpenAI's parameter.
 */
function toModelError(error: unknown): unknown {
  const cause = rootCause(error);
  if (cause instanceof AppError && cause.reason === assistantNotAvailable) return modelNotFound();
  return cause instanceof InputError && concernsFormat(cause) ? toChatRequestError(cause) : error;
}

type CompletionInputs = Omit<Parameters<typeof collectVariables>[1], 'params'>;

/**
 * `parseChatRequest` has validated everything except the number and the length of the messages and
 * the schema of the response format.
 */
function runVariables(match: RouteMatch, inputs: CompletionInputs): Record<string, unknown> {
  try {
    return collectVariables(match, { params: match.params, ...inputs });
  } catch (error) {
    if (error instanceof AppError && error.code === 'BAD_INPUT') throw toChatRequestError(error);
    throw error instanceof AppError && error.code === 'NOT_FOUND' ? modelNotFound() : error;
  }
}

/** The names of our fields become those of OpenAI. */
function toChatRequestError(error: AppError): ChatRequestError {
  if (!(error instanceof InputError) || !concernsFormat(error))
    return new ChatRequestError({ message: error.message, param: 'messages' });
  const rename = (text: string) => text.replace(/^output(\.schema)?/, formatField);
  return new ChatRequestError({
    message: rename(error.message),
    param: rename(error.errors[0]?.field ?? ''),
  });
}

const concernsFormat = ({ errors }: InputError): boolean =>
  errors[0]?.field.startsWith('output') === true && errors[0].field !== 'outputTokensMax';

const formatField = (_: string, schema: string | undefined): string =>
  schema === undefined ? 'response_format' : 'response_format.json_schema.schema';

function errorBody({ code, message, reason }: ClientError, error: unknown) {
  const { status } = errorCatalogue[code];
  const type =
    status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error';
  if (error instanceof ChatRequestError)
    return { error: { message, type, param: error.param, code: error.openAiCode } };
  if (reason === assistantNotAvailable)
    return { error: { message, type, param: 'model', code: 'model_not_found' } };
  return { error: { message, type, param: null, code: code.toLowerCase() } };
}
