/** The part of JSON Schema 2020-12 that describes this API. */
export type JsonSchema = {
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
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  default?: unknown;
};

export type OpenApiReference = { $ref: string };
export type OpenApiHeader = { description: string; required: boolean; schema: JsonSchema };
export type OpenApiExample = { value: unknown };
export type OpenApiMediaType = {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, OpenApiExample>;
};
/**
 * The content by media type: JSON, a form, or the bytes of a file. A 304 response has no content.
 */
export type ContentByMediaType = Record<string, OpenApiMediaType>;
export type OpenApiResponse = {
  description: string;
  headers: Record<string, OpenApiHeader | OpenApiReference>;
  content?: ContentByMediaType;
};
export type OpenApiParameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: JsonSchema;
  example: unknown;
};
export type OpenApiRequestBody = { required: boolean; content: ContentByMediaType };

export type OpenApiServer = { url: string; description?: string };

export type OpenApiOperation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  /** If the call is not at the servers of the document. */
  servers?: OpenApiServer[];
  parameters: OpenApiParameter[];
  requestBody?: OpenApiRequestBody;
  responses: Record<string, OpenApiResponse | OpenApiReference>;
};

export type SecurityScheme = {
  type: 'http';
  scheme: 'bearer';
  bearerFormat?: string;
  description: string;
};

/** An OpenAPI 3.1 document with the fields that this API needs. */
export type OpenApiDocument = {
  openapi: string;
  info: {
    title: string;
    version: string;
    description: string;
    contact: { name: string; url: string };
    license: { name: string; identifier: string };
  };
  servers: OpenApiServer[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  /** The answer to every method that a path does not have. */
  'x-other-methods': Record<string, OpenApiReference>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, OpenApiResponse>;
    headers: Record<string, OpenApiHeader>;
    securitySchemes: Record<string, SecurityScheme>;
  };
};
