import { type GraphQLEnumType, type GraphQLScalarType, isEnumType } from 'graphql';
import { restNamesOf } from '../enum-names.ts';
import type { JsonSchema } from './document.ts';

const builtIn: Record<string, JsonSchema> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
};

/**
 * The schema of a scalar, from its contract, or of an enum, from its names. A list or an object
 * becomes a component with the name of the scalar.
 */
export function leafSchema(type: GraphQLScalarType | GraphQLEnumType): JsonSchema {
  if (isEnumType(type)) return { type: 'string', enum: restNamesOf(type) };
  const schema = type.extensions.contract?.jsonSchema ?? builtIn[type.name];
  if (!schema) throw new Error(`The scalar ${type.name} has no contract`);
  const isStructure = schema.type === 'array' || schema.type === 'object';
  return { ...(isStructure ? { title: type.name } : {}), ...schema };
}

/** The same schema or null. An empty schema allows every value, so also null. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (Object.keys(schema).length === 0) return schema;
  return typeof schema.type === 'string' && !schema.enum && schema.title === undefined
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}
