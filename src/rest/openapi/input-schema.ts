import {
  type GraphQLInputField,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import type { Schema } from './document.ts';
import { leafSchema, orNull } from './leaf-schema.ts';

/** What a caller may send for a GraphQL input type. */
export function inputSchema(type: GraphQLInputType): Schema {
  return isNonNullType(type) ? presentInputSchema(type.ofType) : orNull(presentInputSchema(type));
}

/** The same where null cannot be written, as in a path or a query. */
export function presentInputSchema(type: GraphQLInputType): Schema {
  if (isNonNullType(type)) return presentInputSchema(type.ofType);
  if (isListType(type)) return { type: 'array', items: inputSchema(type.ofType) };
  if (!isInputObjectType(type)) return leafSchema(type);
  const fields = Object.values(type.getFields());
  return {
    title: type.name,
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    required: fields.filter(isRequiredInputField).map(({ name }) => name),
  };
}

function fieldSchema({ type, description, defaultValue }: GraphQLInputField): Schema {
  return {
    ...inputSchema(type),
    ...(description ? { description } : {}),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
  };
}
