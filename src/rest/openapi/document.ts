/** The part of JSON Schema 2020-12 in which this API is described. */
export type Schema = {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: string[];
  format?: string;
  contentMediaType?: string;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  default?: unknown;
};

export type Reference = { $ref: string };
export type Header = { description: string; required: boolean; schema: Schema };
export type Example = { value: unknown };
export type Content = { schema: Schema; example?: unknown; examples?: Record<string, Example> };
/**
 * By media type: JSON, a form, or the bytes of a file. An answer that says only "not modified" has
 * none.
 */
export type Contents = Record<string, Content>;
export type Answer = {
  description: string;
  headers: Record<string, Header | Reference>;
  content?: Contents;
};
export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: Schema;
  example: unknown;
};
export type RequestBody = { required: boolean; content: Contents };

export type Call = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, Answer | Reference>;
};

export type SecurityScheme = {
  type: 'http';
  scheme: 'bearer';
  bearerFormat: string;
  description: string;
};

/** An OpenAPI 3.1 document, as far as this API needs one. */
export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Call>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Answer>;
    headers: Record<string, Header>;
    securitySchemes: Record<string, SecurityScheme>;
  };
};
