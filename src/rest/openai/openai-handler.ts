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
import { MethodNotAllowed, type Router } from '../router.ts';
import { collectVariables } from '../variables.ts';
import { chatChunks, chatCompletion } from './chat-answer.ts';
import { parseChatRequest } from './chat-request.ts';

const prefix = '/api/openai/v1';

type Parts = { schema: GraphQLSchema; router: Router; admit: Admit; bodies: RequestBodies; clock: Clock; log: Log; otherwise: Handler };

/** The operation of the list of models; a completion is a run, and has its own. */
export const listModels = 'openai/list-models';

/** A door for clients of OpenAI's API: each assistant is a model. It has no rule of its own: behind it are the same operations. */
export function createOpenAiHandler({ schema, router, admit, bodies, clock, log, otherwise }: Parts): Handler {
  const models = loadOperation(schema, listModels);

  const modelList = async (context: Context) => {
    requireScopes(context, models.scopes);
    const { assistants } = await answerOf(models, context, {});
    return Array.isArray(assistants) ? assistants.map(asModel) : [];
  };

  return async (request, visit) => {
    const { requestId, pathname, headers } = visit;
    if (pathname !== prefix && !pathname.startsWith(`${prefix}/`)) return otherwise(request, visit);
    const method = visit.method === 'HEAD' ? 'GET' : visit.method;
    const path = pathname.slice(prefix.length).replace(/\/$/, '');
    const [, model] = /^\/models\/([^/]+)$/.exec(path) ?? [];
    let received: HeldBody | undefined;
    try {
      if (path !== '/chat/completions' && path !== '/models' && model === undefined) throw new AppError('NOT_FOUND', 'There is no such path');
      const takes = path === '/chat/completions' ? 'POST' : 'GET';
      if (method !== takes) throw new MethodNotAllowed([takes]);
      visit.operation = takes === 'POST' ? 'OpenAiChatCompletion' : 'OpenAiModels';
      const context = await admit(request, visit, { accepts: 'USER_KEY' });
      if (path === '/models') return json(200, JSON.stringify({ object: 'list', data: await modelList(context) }), headers);
      if (model !== undefined) {
        const found = (await modelList(context)).find(({ id }) => id === model);
        if (!found) throw new AppError('NOT_FOUND', 'Assistant not available');
        return json(200, JSON.stringify(found), headers);
      }

      received = await bodies.json(request, context);
      const { assistantId, messages, streams, includesUsage } = parseChatRequest(received.object);
      const { route } = router.match('POST', '/api/assistants/v1/assistant/run');
      requireScopes(context, route.operation.scopes);
      const match = { route, params: { assistantId } };
      const variables = collectVariables(match, { params: match.params, query: visit.query, body: { messages }, headers: request.headers });
      const answered = { id: `chatcmpl-${requestId}`, created: Math.floor(clock().getTime() / 1000), model: assistantId };
      if (streams && route.subscription) {
        const results = await route.subscription(context, variables);
        if (!(Symbol.asyncIterator in results)) throw results.errors?.[0] ?? new Error('the run gave no events');
        const refuse = (error: unknown) => ({ name: 'error', data: errorBody(refusalOf(error, { requestId, log })) });
        return eventStream(results, { headers, write: chatChunks(answered, { includesUsage }), refuse });
      }
      const body = bodyOf({}, await answerOf(route.operation, context, variables));
      return json(200, JSON.stringify(chatCompletion(answered, body)), headers);
    } catch (error) {
      if (error instanceof MethodNotAllowed) headers['allow'] = error.allow;
      const refusal = refusalOf(error, { requestId, log });
      const { status } = errorCatalogue[refusal.code];
      if (status === 401) headers['www-authenticate'] = 'Bearer';
      if (status === 408 || status === 413) headers['connection'] = 'close';
      if (refusal.retryAfterSeconds !== undefined) headers['retry-after'] = String(refusal.retryAfterSeconds);
      return json(status, JSON.stringify(errorBody(refusal)), headers);
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

function errorBody({ code, message }: Refusal) {
  const { status } = errorCatalogue[code];
  const type = status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error';
  return { error: { message, type, param: null, code: code.toLowerCase() } };
}
