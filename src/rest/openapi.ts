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
import {
  type NamedSelections,
  namedSchemas,
  nameSelections,
  responseSchema,
} from './openapi/response-schema.ts';
import { securityOf, securitySchemesOf } from './openapi/security.ts';
import { rootFields } from './openapi/selected-fields.ts';
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
  const namedSelections = nameSelections(
    routes.map(({ operation }) => rootFields(schema, operation.definition)),
  );
  const schemas: Record<string, JsonSchema> = { ...namedSchemas(namedSelections), ...errorSchemas };
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const path = pathTemplate(route);
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operationOf(route, { schema, namedSelections, schemas }),
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

type OperationDependencies = {
  schema: GraphQLSchema;
  namedSelections: NamedSelections;
  schemas: Record<string, JsonSchema>;
};

function operationOf(
  route: Route,
  { schema, namedSelections, schemas }: OperationDependencies,
): OpenApiOperation {
  const { area, operation } = route;
  const { examples, parameters, ...inputs } = inputsOf(route);
  const [summary = '', ...more] = operation.summary.split(/(?<=[.;]) /);
  const body = responseSchema(
    area.envelope,
    rootFields(schema, operation.definition),
    namedSelections,
  );
  return {
    operationId: operation.name,
    summary: summary.replace(/[.;]$/, ''),
    ...(more.length > 0 ? { description: operation.summary } : {}),
    tags: [area.name],
    security: securityOf(area),
    parameters: [...parameters, ...headerParametersOf(route)],
    ...inputs,
    responses: {
      ...successResponses(route, { body, requestValues: examples, schemas }),
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
