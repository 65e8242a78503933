import type { GraphQLSchema } from 'graphql';
import type { Admit } from '../../graph/admission.ts';
import type { Context } from '../../graph/context.ts';
import { type Refusal, refusalOf } from '../../graph/errors.ts';
import { requireScopes } from '../../graph/scopes.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, errorCatalogue } from '../../platform/errors.ts';
import type { Handler } from '../../platform/http.ts';
import type { Log } from '../../platform/log.ts';
import { eventStream } from '../event-stream.ts';
import { answerOf, loadOperation } from '../operation.ts';
import type { HeldBody, RequestBodies } from '../request-bodies.ts';
import { bodyOf, json } from '../respond.ts';
import { type Match, MethodNotAllowed, type Router } from '../router.ts';
import { loadSubscription } from '../subscription.ts';
import { collectVariables } from '../variables.ts';
import { chatChunks, chatCompletion } from './chat-answer.ts';
import { parseChatRequest } from './chat-request.ts';
import { ChatRequestError } from './chat-request-error.ts';

const prefix = '/api/openai/v1';

type Parts = {
  schema: GraphQLSchema;
  router: Router;
  admit: Admit;
  bodies: RequestBodies;
  clock: Clock;
  log: Log;
  otherwise: Handler;
};

/** The operations of this door: the list of models, and a run as one answer or as events. */
export const openAiOperations = {
  models: 'openai/list-models',
  completion: 'openai/create-chat-completion',
  stream: 'openai/stream-chat-completion',
};

/**
 * A door for clients of OpenAI's API: each assistant is a model. It has no rule of its own: behind
 * it are the same operations.
 */
export function createOpenAiHandler({
  schema,
  router,
  admit,
  bodies,
  clock,
  log,
  otherwise,
}: Parts): Handler {
  const models = loadOperation(schema, openAiOperations.models);
  const completion = loadOperation(schema, openAiOperations.completion);
  const subscribe = loadSubscription(schema, openAiOperations.stream);
  // A completion has the path of a run: that tells where the variables come from.
  const { route: run } = router.match('POST', '/api/assistants/v1/assistant/run');
  const route = { ...run, operation: completion };

  const modelList = async (context: Context) => {
    requireScopes(context, models.scopes);
    const { assistants } = await answerOf(models, context, {});
    return Array.isArray(assistants) ? assistants.map(asModel) : [];
  };

  return async (request, requestContext) => {
    const { requestId, pathname, headers } = requestContext;
    if (pathname !== prefix && !pathname.startsWith(`${prefix}/`))
      return otherwise(request, requestContext);
    const method = requestContext.method === 'HEAD' ? 'GET' : requestContext.method;
    const path = pathname.slice(prefix.length).replace(/\/$/, '');
    const [, model] = /^\/models\/([^/]+)$/.exec(path) ?? [];
    let received: HeldBody | undefined;
    try {
      const takes = path === '/chat/completions' ? 'POST' : 'GET';
      const isServed = path === '/chat/completions' || path === '/models' || model !== undefined;
      if (!isServed || method !== takes) {
        await admit(request, requestContext, { accepts: 'ANY_KEY' });
        throw isServed
          ? new MethodNotAllowed([takes])
          : new AppError('NOT_FOUND', 'There is no such path');
      }
      requestContext.operation = takes === 'POST' ? 'OpenAiChatCompletion' : 'OpenAiModels';
      const context = await admit(request, requestContext, { accepts: 'USER_KEY' });
      if (path === '/models')
        return json(
          200,
          JSON.stringify({ object: 'list', data: await modelList(context) }),
          headers,
        );
      if (model !== undefined) {
        const found = (await modelList(context)).find(({ id }) => id === model);
        if (!found) throw modelNotFound();
        return json(200, JSON.stringify(found), headers);
      }

      received = await bodies.json(request, context);
      requireScopes(context, completion.scopes);
      const { assistantId, streams, includesUsage, ...body } = parseChatRequest(received.object);
      const variables = variablesOf(
        { route, params: { assistantId } },
        { query: requestContext.query, body, headers: request.headers },
      );
      const answered = {
        id: `chatcmpl-${requestId}`,
        created: Math.floor(clock().getTime() / 1000),
        model: assistantId,
      };
      if (streams) {
        const results = await subscribe(context, variables);
        if (!(Symbol.asyncIterator in results))
          throw results.errors?.[0] ?? new Error('the run gave no events');
        const refuse = (error: unknown) => ({
          name: 'error',
          data: errorBody(refusalOfModel(error, { requestId, log }), error),
        });
        return eventStream(results, {
          headers,
          write: chatChunks(answered, { includesUsage }),
          refuse,
        });
      }
      const answer = bodyOf({}, await answerOf(completion, context, variables));
      return json(200, JSON.stringify(chatCompletion(answered, answer)), headers);
    } catch (error) {
      if (error instanceof MethodNotAllowed) headers['allow'] = error.allow;
      const refusal = refusalOfModel(error, { requestId, log });
      const { status } = errorCatalogue[refusal.code];
      if (status === 401) headers['www-authenticate'] = 'Bearer';
      if (refusal.retryAfterSeconds !== undefined)
        headers['retry-after'] = String(refusal.retryAfterSeconds);
      return json(status, JSON.stringify(errorBody(refusal, error)), headers);
    } finally {
      await received?.release();
    }
  };
}

type Assistant = { id: string; name: string; createdAt: string };

const asModel = ({ id, name, createdAt }: Assistant) => ({
  id,
  object: 'model',
  created: Math.floor(Date.parse(createdAt) / 1000),
  owned_by: 'atrium',
  name,
});

const notAvailable = 'ASSISTANT_NOT_AVAILABLE';
const modelNotFound = () =>
  new AppError(
    'NOT_FOUND',
    'Assistant not available: no assistant with this id is shared with the owner of the key. GET /models lists those that are',
    notAvailable,
  );

/**
 * An assistant that is unknown and one that is not shared with the caller are the same refusal,
 * whichever call meets it.
 */
function refusalOfModel(error: unknown, about: Parameters<typeof refusalOf>[1]): Refusal {
  const refusal = refusalOf(error, about);
  return refusal.reason === notAvailable ? refusalOf(modelNotFound(), about) : refusal;
}

type RunInputs = Omit<Parameters<typeof collectVariables>[1], 'params'>;

/**
 * What the form lets pass and a run refuses can only be the messages: their number and their
 * length.
 */
function variablesOf(match: Match, inputs: RunInputs): Record<string, unknown> {
  try {
    return collectVariables(match, { params: match.params, ...inputs });
  } catch (error) {
    if (error instanceof AppError && error.code === 'BAD_INPUT')
      throw new ChatRequestError({ message: error.message, param: 'messages' });
    throw error instanceof AppError && error.code === 'NOT_FOUND' ? modelNotFound() : error;
  }
}

function errorBody({ code, message, reason }: Refusal, error: unknown) {
  const { status } = errorCatalogue[code];
  const type =
    status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error';
  if (error instanceof ChatRequestError)
    return { error: { message, type, param: error.param, code: error.openAiCode } };
  if (reason === notAvailable)
    return { error: { message, type, param: 'model', code: 'model_not_found' } };
  return { error: { message, type, param: null, code: code.toLowerCase() } };
}
