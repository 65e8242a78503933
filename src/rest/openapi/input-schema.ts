import {
  type GraphQLInputField,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import type { InputRule } from '../../graph/schema/input-rules.ts';
import type { JsonSchema } from './document.ts';
import { leafSchema, orNull } from './leaf-schema.ts';

/** The schema of the values that a client may send for a GraphQL input type. */
export const inputSchema = (type: GraphQLInputType, rule?: InputRule): JsonSchema =>
  isNonNullType(type) ? presentInputSchema(type, rule) : orNull(presentInputSchema(type, rule));

/** The same schema without null, for a path or a query, in which null cannot be written. */
export function presentInputSchema(type: GraphQLInputType, rule?: InputRule): JsonSchema {
  if (rule) return { ...rule.jsonSchema };
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

function fieldSchema({
  type,
  description,
  defaultValue,
  extensions,
}: GraphQLInputField): JsonSchema {
  return {
    ...(extensions.presence === 'NEVER_NULL'
      ? presentInputSchema(type, extensions.rule)
      : inputSchema(type, extensions.rule)),
    ...(description ? { description } : {}),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
  };
}
