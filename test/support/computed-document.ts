import { createExecutor } from '../../src/graph/execute/execute.ts';
import { loadRoutes } from '../../src/rest/load-routes.ts';
import { openApiDocument } from '../../src/rest/openapi.ts';
import { areas } from '../../src/rest/routes.ts';
import { schema } from '../../src/schema.ts';

/** The OpenAPI document that the current sources produce. */
export const computedDocument = () =>
  openApiDocument({
    schema,
    routes: loadRoutes(createExecutor(schema), areas),
    version: '1.2.3',
  });
