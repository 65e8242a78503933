import { type GraphQLSchema, Kind } from 'graphql';
import type { DurableCall, Route } from './load-routes.ts';
import { openAiOperations } from './openai/operations.ts';
import { description, license, title } from './openapi/about.ts';
import type {
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiResponse,
} from './openapi/document.ts';
import { commonErrorResponses, errorResponses } from './openapi/error-responses.ts';
import { errorSchemas } from './openapi/error-schemas.ts';
import { eventSchema, eventTypes } from './openapi/event-schema.ts';
import { headCallOf } from './openapi/head-call.ts';
import { headerParametersOf } from './openapi/header-parameters.ts';
import { headers } from './openapi/headers.ts';
import { inputsOf } from './openapi/inputs.ts';
import { moveNamedSchemas } from './openapi/named-schemas.ts';
import { openAiPaths, openAiTag } from './openapi/openai-calls.ts';
import { responseSchema } from './openapi/response-schema.ts';
import { securityOf, securitySchemesOf } from './openapi/security.ts';
import { rootFields } from './openapi/selected-fields.ts';
import { nameSelections, type SelectionNames } from './openapi/selection-names.ts';
import { acceptedResponse, successResponses } from './openapi/success-responses.ts';
import { vaultPaths, vaultSecurityScheme, vaultTag } from './openapi/vault-calls.ts';
import { readOperation } from './read-operation.ts';

export type { OpenApiDocument } from './openapi/document.ts';

type OpenApiInput = {
  schema: GraphQLSchema;
  routes: readonly Route[];
  version: string;
};

/**
 * The API as an OpenAPI 3.1 document. It is computed from the routes, operations, types and errors,
 * so that it always matches them.
 */
export function openApiDocument({ schema, routes, version }: OpenApiInput): OpenApiDocument {
  const areas = [...new Set(routes.map(({ area }) => area))];
  const schemas: Record<string, JsonSchema> = { ...errorSchemas };
  const paths: OpenApiDocument['paths'] = {};
  const completion = { name: 'CreateChatCompletion', roots: completionRoots(schema) };
  const nameOf = nameSelections([
    ...routes.flatMap((route) => [
      operationOf(schema, route),
      ...(route.subscription ? eventTypes(schema, route.subscription) : []),
      ...(route.durable ? [operationOf(schema, route.durable)] : []),
    ]),
    completion,
  ]);
  for (const route of routes) {
    const path = pathTemplate(route);
    const call = moveNamedSchemas(callOf(route, { schema, nameOf }), schemas);
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: call,
      ...(route.method === 'GET' && { head: headCallOf(call) }),
    };
  }
  const { citations = {}, citationDetails = {} } =
    responseSchema({}, completion, nameOf).properties ?? {};
  const otherPaths = { ...openAiPaths({ citations, citationDetails }), ...vaultPaths() };
  Object.assign(paths, moveNamedSchemas(otherPaths, schemas));
  return {
    openapi: '3.1.1',
    info: { title, version, description, contact: { name: 'Atrium', url: '/' }, license },
    servers: [{ url: '/' }],
    tags: [
      ...areas.map(({ name, description: text }) => ({ name, description: text })),
      openAiTag,
      vaultTag,
    ],
    paths,
    'x-other-methods': otherMethods,
    components: {
      schemas,
      responses: onlyReferenced(commonErrorResponses(), { paths, otherMethods }),
      headers,
      securitySchemes: { ...securitySchemesOf(areas), ...vaultSecurityScheme },
    },
  };
}

/** The root fields of the run behind a chat completion. */
function completionRoots(schema: GraphQLSchema) {
  const [definition] = readOperation(openAiOperations.completion).document.definitions;
  return definition?.kind === Kind.OPERATION_DEFINITION ? rootFields(schema, definition) : [];
}

const operationOf = (schema: GraphQLSchema, { operation }: Pick<Route, 'operation'>) => ({
  name: operation.name,
  roots: rootFields(schema, operation.definition),
});

// OpenAPI describes only methods that a path has, so this is an extension.
const otherMethods = { 405: { $ref: '#/components/responses/METHOD_NOT_ALLOWED' } };

/** The document with the address of the server in place of a relative one. */
export const withOrigin = (document: OpenApiDocument, origin: string): OpenApiDocument => ({
  ...document,
  info: { ...document.info, contact: { ...document.info.contact, url: origin } },
  servers: [{ url: origin }],
});

type CallDependencies = { schema: GraphQLSchema; nameOf: SelectionNames };

function callOf(route: Route, { schema, nameOf }: CallDependencies): OpenApiOperation {
  const { area, operation } = route;
  const { examples, parameters, ...inputs } = inputsOf(route);
  const [summary = '', ...more] = operation.summary.split(/(?<=[.;]) /);
  const body = responseSchema(area.envelope, operationOf(schema, route), nameOf);
  const events =
    route.subscription &&
    eventSchema({
      name: operation.name,
      events: eventTypes(schema, route.subscription),
      body,
      nameOf,
    });
  return {
    operationId: operation.name,
    summary: summary.replace(/[.;]$/, ''),
    ...(more.length > 0 ? { description: operation.summary } : {}),
    tags: [area.name],
    security: securityOf(area),
    parameters: [...parameters, ...headerParametersOf(route)],
    ...inputs,
    responses: {
      ...successResponses(route, { body, requestValues: examples, events }),
      ...(route.durable && acceptedResponse(durableBody(route.durable, { schema, nameOf }))),
      ...errorResponses(route),
    },
  };
}

const durableBody = (durable: DurableCall, { schema, nameOf }: CallDependencies): JsonSchema =>
  responseSchema(durable.envelope, operationOf(schema, durable), nameOf);

const pathTemplate = ({ path }: Route) => path.replaceAll(/:(\w+)/g, '{$1}');

function onlyReferenced(
  answers: Record<string, OpenApiResponse>,
  parts: object,
): Record<string, OpenApiResponse> {
  const text = JSON.stringify(parts);
  return Object.fromEntries(
    Object.entries(answers).filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
  );
}
