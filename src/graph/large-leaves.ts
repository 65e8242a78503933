import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isSpecifiedScalarType,
} from 'graphql';

/**
 * The value, with an empty object in each position where an object stands for an enum or a scalar
 * of the specification: graphql-js writes the whole object into its message, which takes a quarter
 * of a second for one of 75,000 keys, and we do not use the message.
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
  const given = Object.values(nullable.getFields()).filter(({ name }) =>
    Object.hasOwn(value, name),
  );
  return {
    ...value,
    ...Object.fromEntries(
      given.map((field) => [
        field.name,
        withoutLargeLeaves(field.type, Reflect.get(value, field.name)),
      ]),
    ),
  };
}
