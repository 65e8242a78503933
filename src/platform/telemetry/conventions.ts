/**
 * The names of OpenTelemetry's semantic conventions that Atrium uses. Those of GenAI are still in
 * development, so all names are those of this version, whatever version of the packages is
 * installed. `test/platform/telemetry/conventions.test.ts` compares them with the official ones.
 */
export const conventionsVersion = '1.45.0';

export type AttributeName =
  | 'db.operation.batch.size'
  | 'db.query.summary'
  | 'db.response.status_code'
  | 'db.system.name'
  | 'error.type'
  | 'gen_ai.operation.name'
  | 'gen_ai.provider.name'
  | 'gen_ai.request.max_tokens'
  | 'gen_ai.request.model'
  | 'gen_ai.request.stream'
  | 'gen_ai.request.temperature'
  | 'gen_ai.response.finish_reasons'
  | 'gen_ai.response.model'
  | 'gen_ai.token.type'
  | 'gen_ai.tool.name'
  | 'gen_ai.tool.type'
  | 'gen_ai.usage.cache_read.input_tokens'
  | 'gen_ai.usage.input_tokens'
  | 'gen_ai.usage.output_tokens'
  | 'graphql.operation.name'
  | 'graphql.operation.type'
  | 'http.request.method'
  | 'http.response.status_code'
  | 'http.route'
  | 'server.address'
  | 'server.port'
  | 'url.scheme'
  | 'url.template';
