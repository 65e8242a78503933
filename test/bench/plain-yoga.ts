import { createServer } from 'node:http';
import { createYoga } from 'graphql-yoga';
import { openOwnSchema } from './own-schema.ts';

// Our schema with plain GraphQL Yoga.
const { env, schema, contextFor } = await openOwnSchema();
const yoga = createYoga({
  schema,
  context: ({ request }) => contextFor(request.headers.get('authorization') ?? ''),
  logging: false,
  landingPage: false,
});
createServer((request, response) => void yoga(request, response)).listen(env.PORT, env.HOST);
