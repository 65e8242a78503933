import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isSpecifiedScalarType,
} from 'graphql';

/**
 * Replaces each object in the position of an enum or a built-in scalar with an empty object.
 * graphql-js writes the whole object into its error message, which takes a quarter of a second for
 * 75,000 keys, and we do not use that message.
 */
export function withoutLargeLeaves(type: GraphQLInputType, value: unknown): unknown {
  const nullable = getNullableType(type);
  if (typeof value !== 'object' || value === null) return value;
  if (isListType(nullable))
    return Array.isArray(value)
      ? value.map((item) => withoutLargeLeaves(nullable.ofType, item))
      : withoutLargeLeaves(nullable.ofType, value);
  if (isEnumType(nullable) || isSpecifiedScalarType(nullable))
    return Array.isArray(value) ? [] : {};
  if (!isInputObjectType(nullable) || Array.isArray(value)) return value;
  const sentFields = Object.values(nullable.getFields()).filter(({ name }) =>
    Object.hasOwn(value, name),
  );
  return {
    ...value,
    ...Object.fromEntries(
      sentFields.map((field) => [
        field.name,
        withoutLargeLeaves(field.type, Reflect.get(value, field.name)),
      ]),
    ),
  };
}
