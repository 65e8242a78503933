import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Env } from '../platform/env.ts';
import { errorCatalogue } from '../platform/errors.ts';
import type { Handler } from '../platform/http.ts';
import type { Log } from '../platform/log.ts';
import type { Admit } from './admission.ts';
import type { Context } from './context.ts';
import { refusalOf } from './errors.ts';
import { GraphQLError } from 'graphql';

type GraphParts = { schema: GraphQLSchema; admit: Admit; env: Env; log: Log };

export function createGraphHandler({ schema, admit, log }: GraphParts): Handler {
  const yoga = createYoga<{ admitted: Context }, Context>({
    schema,
    context: ({ admitted }) => admitted,
    graphiql: false,
    batching: false,
    multipart: false,
    cors: false,
    landingPage: false,
    logging: false,
    healthCheckEndpoint: '/graphql/yoga-is-up',
    maskedErrors: { maskError: (error) => new GraphQLError(String(error)) },
  });
  return async (request, { requestId, headers }) => {
    try {
      const admitted = await admit(request, { requestId, headers });
      return await yoga.fetch(request, { admitted });
    } catch (error) {
      const { code, message } = refusalOf(error, { requestId, log });
      return Response.json({ errors: [{ message, extensions: { code } }] }, { status: errorCatalogue[code].status, headers });
    }
  };
}
