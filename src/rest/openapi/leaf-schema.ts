import { type GraphQLEnumType, type GraphQLScalarType, isEnumType } from 'graphql';
import type { Schema } from './document.ts';

const builtIn: Record<string, Schema> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
};

/** What a value without fields may be: the contract of its scalar, or the names of its enum. */
export function leafSchema(type: GraphQLScalarType | GraphQLEnumType): Schema {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  const schema = type.extensions.contract?.jsonSchema ?? builtIn[type.name];
  if (!schema) throw new Error(`The scalar ${type.name} has no contract`);
  const copy: Schema = {};
  return Object.assign(copy, schema);
}

/** The same, or null. Any value at all includes null already. */
export function orNull(schema: Schema): Schema {
  if (Object.keys(schema).length === 0) return schema;
  return typeof schema.type === 'string' && !schema.enum
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}
