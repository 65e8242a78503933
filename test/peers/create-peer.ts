import { randomUUID } from 'node:crypto';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifySchemaValidationError,
} from 'fastify';
import { errorBody, type FieldFault, InputFault } from './errors.ts';

/** What every peer does for every request, as our server does: request id, headers and errors. */
export function createPeer(
  faultsOf: (faults: FastifySchemaValidationError[]) => FieldFault[] = plainFaultsOf,
): FastifyInstance {
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    ajv: { customOptions: { coerceTypes: false, allErrors: true, verbose: true } },
    schemaErrorFormatter: (faults) => new InputFault(faultsOf(faults)),
    routerOptions: { ignoreTrailingSlash: true },
  });
  app.decorateRequest('organizationId', '');
  app.decorateRequest('userId', '');
  app.decorateRequest('isAdmin', false);
  app.addHook('onRequest', (request, reply, done) => {
    reply
      .header('X-Request-Id', request.id)
      .header('Cache-Control', 'no-store')
      .type('application/json; charset=utf-8');
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
    reply.code(status).send(errorBody(error, status, request.id));
  });
  return app;
}

const plainFaultsOf = (faults: FastifySchemaValidationError[]): FieldFault[] =>
  faults.map(({ instancePath, message = 'is invalid' }) => {
    const field = instancePath.slice(1);
    return { field, code: 'INVALID', message: `${field} ${message}` };
  });

export const listen = (app: FastifyInstance) =>
  app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 0) });
