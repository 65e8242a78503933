import type { GraphQLSchema } from 'graphql';
import { description, title } from './openapi/about.ts';
import {
  answerSchema,
  type NamedSelections,
  namedSchemas,
  nameSelections,
} from './openapi/answer-schema.ts';
import type { Answer, Call, OpenApiDocument, Schema } from './openapi/document.ts';
import { errorSchemas } from './openapi/error-schemas.ts';
import { headerParametersOf } from './openapi/header-parameters.ts';
import { headers } from './openapi/headers.ts';
import { inputsOf } from './openapi/inputs.ts';
import { commonRefusals, refusalAnswers } from './openapi/refusals.ts';
import { securityOf, securitySchemesOf } from './openapi/security.ts';
import { rootFields } from './openapi/selected-fields.ts';
import { successAnswers } from './openapi/successes.ts';
import type { Route, Router } from './router.ts';

export type { OpenApiDocument } from './openapi/document.ts';

type Source = {
  schema: GraphQLSchema;
  router: Pick<Router, 'routes'>;
  version: string;
  origin?: string | undefined;
};

/**
 * The API as OpenAPI 3.1, computed from its rows, operations, types and refusals, so that it cannot
 * drift from them.
 */
export function openApiDocument({
  schema,
  router: { routes },
  version,
  origin = '/',
}: Source): OpenApiDocument {
  const areas = [...new Set(routes.map(({ area }) => area))];
  const named = nameSelections(
    routes.map(({ operation }) => rootFields(schema, operation.definition)),
  );
  const schemas: Record<string, Schema> = { ...namedSchemas(named), ...errorSchemas };
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const path = template(route);
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: callOf(route, { schema, named, schemas }),
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
      responses: referredTo(commonRefusals(), paths),
      headers,
      securitySchemes: securitySchemesOf(areas),
    },
  };
}

type Parts = { schema: GraphQLSchema; named: NamedSelections; schemas: Record<string, Schema> };

function callOf(route: Route, { schema, named, schemas }: Parts): Call {
  const { area, operation } = route;
  const { examples, parameters, ...inputs } = inputsOf(route);
  const [summary = '', ...more] = operation.summary.split(/(?<=[.;]) /);
  const body = answerSchema(area.envelope, rootFields(schema, operation.definition), named);
  return {
    operationId: operation.name,
    summary: summary.replace(/[.;]$/, ''),
    ...(more.length > 0 ? { description: operation.summary } : {}),
    tags: [area.name],
    security: securityOf(area),
    parameters: [...parameters, ...headerParametersOf(route)],
    ...inputs,
    responses: {
      ...successAnswers(route, { body, known: examples, schemas }),
      ...refusalAnswers(route),
    },
  };
}

const template = ({ path }: Route) => path.replaceAll(/:(\w+)/g, '{$1}');

function referredTo(
  answers: Record<string, Answer>,
  paths: OpenApiDocument['paths'],
): Record<string, Answer> {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(answers).filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
  );
}
