import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { composeServices } from '@apollo/composition';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { createGatewayRuntime } from '@graphql-hive/gateway';
import { graphql, parse } from 'graphql';

// A second subgraph, which adds a field to campaigns and refers to some of them by their ids. Atrium
// and this subgraph are composed with Apollo's composition, and a gateway serves the result.
const featured = (process.env['FEATURED'] ?? '').split(',');
const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
  type Query { featured: [Campaign] }
  type Campaign @key(fields: "id") { id: ID! budget: Int! }
`);
const desk = buildSubgraphSchema([
  {
    typeDefs,
    resolvers: {
      Query: { featured: () => featured.map((id) => ({ id })) },
      Campaign: { budget: ({ id }: { id: string }) => id.length },
    },
  },
]);
const deskServer = createServer(async (request, response) => {
  const { query, variables } = JSON.parse(await text(request));
  const result = await graphql({ schema: desk, source: query, variableValues: variables });
  response.setHeader('content-type', 'application/json').end(JSON.stringify(result));
}).listen(0, '127.0.0.1');
await once(deskServer, 'listening');
const { port } = deskServer.address() as AddressInfo;

const atriumUrl = `${process.env['ATRIUM_ORIGIN']}/graphql`;
const serviceAnswer = await fetch(atriumUrl, {
  method: 'POST',
  headers: {
    authorization: `Bearer ${process.env['ATRIUM_KEY']}`,
    'content-type': 'application/json',
  },
  body: '{"query":"{ _service { sdl } }"}',
});
const { data } = (await serviceAnswer.json()) as { data: { _service: { sdl: string } } };

const { errors, supergraphSdl } = composeServices([
  { name: 'atrium', url: atriumUrl, typeDefs: parse(data._service.sdl) },
  { name: 'desk', url: `http://127.0.0.1:${port}/graphql`, typeDefs },
]);
if (!supergraphSdl) throw new Error(`The composition failed: ${errors?.join('\n')}`);

const gateway = createGatewayRuntime({
  supergraph: supergraphSdl,
  logging: false,
  propagateHeaders: {
    fromClientToSubgraphs: ({ request }) => ({
      authorization: request.headers.get('authorization') ?? '',
    }),
  },
});
createServer((request, response) => {
  if (request.url === '/supergraph') response.end(supergraphSdl);
  else void gateway(request, response);
}).listen(Number(process.env['PORT']), '127.0.0.1');
// The gateway handles the signal, but then keeps its connections to the subgraphs.
process.on('SIGTERM', () => process.exit());
