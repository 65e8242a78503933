import fastify from 'fastify';
import mercurius from 'mercurius';
import { openOwnSchema } from '../bench/own-schema.ts';

// Our schema with Mercurius, which compiles each query when it is executed for the first time.
const { env, schema, contextFor } = await openOwnSchema();
const app = fastify({ logger: false });
await app.register(mercurius, {
  schema,
  jit: 1,
  graphiql: false,
  context: ({ headers }) => contextFor(headers.authorization ?? ''),
});
await app.listen({ host: env.HOST, port: env.PORT });
