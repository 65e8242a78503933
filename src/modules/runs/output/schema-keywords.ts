/** What the value of a keyword of JSON Schema must be. */
export type KeywordKind =
  | 'schema'
  | 'schemas'
  | 'schemasByName'
  | 'schemasByPattern'
  | 'dialect'
  | 'reference'
  | 'types'
  | 'names'
  | 'namesByName'
  | 'values'
  | 'value'
  | 'text'
  | 'boolean'
  | 'pattern'
  | 'count'
  | 'number'
  | 'positive';

/**
 * The keywords of the 2020-12 dialect that a schema may have, and `definitions` of older dialects,
 * which OpenAI's own clients still send. Keywords that load or name other schemas are missing.
 */
export const schemaKeywords: ReadonlyMap<string, KeywordKind> = new Map<string, KeywordKind>([
  ['$schema', 'dialect'],
  ['$ref', 'reference'],
  ['$defs', 'schemasByName'],
  ['definitions', 'schemasByName'],
  ['$comment', 'text'],
  ['title', 'text'],
  ['description', 'text'],
  ['default', 'value'],
  ['examples', 'values'],
  ['deprecated', 'boolean'],
  ['readOnly', 'boolean'],
  ['writeOnly', 'boolean'],
  ['type', 'types'],
  ['enum', 'values'],
  ['const', 'value'],
  ['allOf', 'schemas'],
  ['anyOf', 'schemas'],
  ['oneOf', 'schemas'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['dependentSchemas', 'schemasByName'],
  ['prefixItems', 'schemas'],
  ['items', 'schema'],
  ['contains', 'schema'],
  ['properties', 'schemasByName'],
  ['patternProperties', 'schemasByPattern'],
  ['additionalProperties', 'schema'],
  ['propertyNames', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['required', 'names'],
  ['dependentRequired', 'namesByName'],
  ['multipleOf', 'positive'],
  ['maximum', 'number'],
  ['exclusiveMaximum', 'number'],
  ['minimum', 'number'],
  ['exclusiveMinimum', 'number'],
  ['maxLength', 'count'],
  ['minLength', 'count'],
  ['pattern', 'pattern'],
  ['format', 'text'],
  ['maxItems', 'count'],
  ['minItems', 'count'],
  ['uniqueItems', 'boolean'],
  ['maxContains', 'count'],
  ['minContains', 'count'],
  ['maxProperties', 'count'],
  ['minProperties', 'count'],
]);

/** The keywords whose schemas apply to the same value as the schema that has them. */
export const inPlaceKeywords: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
]);

export const schemaTypes: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

/** The dialects that agree on all of these keywords. */
export const dialects: ReadonlySet<unknown> = new Set(
  [
    'https://json-schema.org/draft/2020-12/schema',
    'http://json-schema.org/draft-07/schema',
  ].flatMap((uri) => [uri, `${uri}#`]),
);
