import { randomUUID } from 'node:crypto';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifySchemaValidationError,
} from 'fastify';

/** What every peer does with every request, as ours does: its id, its headers, its errors. */
export function createPeer(
  faultsOf: (faults: FastifySchemaValidationError[]) => string,
): FastifyInstance {
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    ajv: { customOptions: { coerceTypes: false, allErrors: true } },
    schemaErrorFormatter: (faults) => new Error(faultsOf(faults)),
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
    reply.code(status).send({
      status: 'error',
      message: status < 500 ? error.message : `Internal error; request id ${request.id}`,
    });
  });
  return app;
}

export const listen = (app: FastifyInstance) =>
  app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 0) });
