import type { GraphQLSchema } from 'graphql';
import type { Route } from './load-routes.ts';
import { description, title } from './openapi/about.ts';
import type {
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiResponse,
} from './openapi/document.ts';
import { commonErrorResponses, errorResponses } from './openapi/error-responses.ts';
import { errorSchemas } from './openapi/error-schemas.ts';
import { headerParametersOf } from './openapi/header-parameters.ts';
import { headers } from './openapi/headers.ts';
import { inputsOf } from './openapi/inputs.ts';
import { moveNamedSchemas } from './openapi/named-schemas.ts';
import { responseSchema } from './openapi/response-schema.ts';
import { securityOf, securitySchemesOf } from './openapi/security.ts';
import { rootFields } from './openapi/selected-fields.ts';
import { nameSelections, type SelectionNames } from './openapi/selection-names.ts';
import { successResponses } from './openapi/success-responses.ts';

export type { OpenApiDocument } from './openapi/document.ts';

type OpenApiInput = {
  schema: GraphQLSchema;
  routes: readonly Route[];
  version: string;
  origin?: string | undefined;
};

/**
 * The API as an OpenAPI 3.1 document. It is computed from the routes, operations, types and errors,
 * so that it always matches them.
 */
export function openApiDocument({
  schema,
  routes,
  version,
  origin = '/',
}: OpenApiInput): OpenApiDocument {
  const areas = [...new Set(routes.map(({ area }) => area))];
  const nameOf = nameSelections(routes.map((route) => operationOf(schema, route)));
  const schemas: Record<string, JsonSchema> = { ...errorSchemas };
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const path = pathTemplate(route);
    const method = route.method.toLowerCase();
    paths[path] = {
      ...paths[path],
      [method]: moveNamedSchemas(callOf(route, { schema, nameOf }), schemas),
    };
  }
  return {
    openapi: '3.1.1',
    info: { title, version, description },
    servers: [{ url: origin }],
    tags: areas.map(({ name, description: text }) => ({ name, description: text })),
    paths,
    components: {
      schemas,
      responses: onlyReferenced(commonErrorResponses(), paths),
      headers,
      securitySchemes: securitySchemesOf(areas),
    },
  };
}

const operationOf = (schema: GraphQLSchema, { operation }: Route) => ({
  name: operation.name,
  roots: rootFields(schema, operation.definition),
});

type CallDependencies = { schema: GraphQLSchema; nameOf: SelectionNames };

function callOf(route: Route, { schema, nameOf }: CallDependencies): OpenApiOperation {
  const { area, operation } = route;
  const { examples, parameters, ...inputs } = inputsOf(route);
  const [summary = '', ...more] = operation.summary.split(/(?<=[.;]) /);
  const body = responseSchema(area.envelope, operationOf(schema, route), nameOf);
  return {
    operationId: operation.name,
    summary: summary.replace(/[.;]$/, ''),
    ...(more.length > 0 ? { description: operation.summary } : {}),
    tags: [area.name],
    security: securityOf(area),
    parameters: [...parameters, ...headerParametersOf(route)],
    ...inputs,
    responses: {
      ...successResponses(route, { body, requestValues: examples }),
      ...errorResponses(route),
    },
  };
}

const pathTemplate = ({ path }: Route) => path.replaceAll(/:(\w+)/g, '{$1}');

function onlyReferenced(
  answers: Record<string, OpenApiResponse>,
  paths: OpenApiDocument['paths'],
): Record<string, OpenApiResponse> {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(answers).filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
  );
}
