import {
  coerceInputValue,
  type GraphQLError,
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
  isScalarType,
} from 'graphql';
import type { FieldErrorCode } from '../platform/errors.ts';
import { withoutLargeLeaves } from './large-leaves.ts';
import { InputFault, mismatch } from './scalars.ts';

/**
 * What is wrong with a value, or with the part of it that `place` names, such as `[2].email`. The
 * message begins with a verb.
 */
export type ValueFault = { place: string; code: FieldErrorCode; message: string };

/** Ends the walk through a value: describing each of 500,000 wrong items would take minutes. */
class EnoughFaults extends Error {}

/**
 * Everything that is wrong with a value, up to a number of faults. GraphQL's own messages repeat
 * the value, so they are not used.
 */
export function faultsOfValue(
  type: GraphQLInputType,
  value: unknown,
  faultsMax: number,
): ValueFault[] {
  const faults: ValueFault[] = [];
  const note = (path: readonly (string | number)[], invalid: unknown, error: GraphQLError) => {
    faults.push(...faultsAt(type, path, invalid, error));
    if (faults.length >= faultsMax) throw new EnoughFaults();
  };
  try {
    coerceInputValue(withoutLargeLeaves(type, value), type, note, true);
  } catch (error) {
    if (!(error instanceof EnoughFaults)) throw error;
  }
  return faults.slice(0, faultsMax);
}

function faultsAt(
  type: GraphQLInputType,
  path: readonly (string | number)[],
  invalid: unknown,
  error: GraphQLError,
): ValueFault[] {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  if (error instanceof InputFault)
    return [{ place: place + error.place, code: error.code, message: error.message }];
  const wanted = typeAt(type, path);
  return [
    faultOfObject(place, wanted, invalid, error) ?? { place, ...faultOfType(wanted, invalid) },
  ];
}

/**
 * The fields that an input object lacks or cannot have; undefined where the value is no object of
 * that kind.
 */
function faultOfObject(
  place: string,
  type: GraphQLInputType,
  invalid: unknown,
  { message }: GraphQLError,
): ValueFault | undefined {
  const wanted = getNullableType(type);
  if (
    !isInputObjectType(wanted) ||
    typeof invalid !== 'object' ||
    invalid === null ||
    Array.isArray(invalid)
  )
    return undefined;
  const [, name = ''] = /^Field "(\w+)"/.exec(message) ?? [];
  const field = wanted.getFields()[name];
  if (field && isRequiredInputField(field))
    return { place: `${place}.${name}`, code: 'REQUIRED', message: 'is required' };
  if (name !== '' && !field)
    return {
      place: `${place}.${name}`,
      code: 'UNKNOWN_FIELD',
      message: 'is not a field of this object',
    };
  return { place, code: 'INVALID', message: `must be ${expectationOf(type)}` };
}

/** A value of the wrong kind: what it must be, and what it is. */
export function faultOfType(
  type: GraphQLInputType,
  value: unknown,
): Pick<ValueFault, 'code' | 'message'> {
  const nullable = getNullableType(type);
  const { code, message } = mismatch(
    { expectation: expectationOf(type), jsonType: jsonTypeOf(nullable) },
    value,
  );
  return {
    code: code === 'INVALID_FORMAT' && isEnumType(nullable) ? 'UNKNOWN_VALUE' : code,
    message,
  };
}

function jsonTypeOf(type: GraphQLInputType): unknown {
  if (isListType(type)) return 'array';
  if (isEnumType(type)) return 'string';
  return isScalarType(type)
    ? (type.extensions.contract?.jsonSchema['type'] ?? builtIn[type.name]?.jsonType)
    : undefined;
}

function typeAt(type: GraphQLInputType, path: readonly (string | number)[]): GraphQLInputType {
  const [key, ...rest] = path;
  const nullable = getNullableType(type);
  if (key === undefined) return type;
  if (isListType(nullable)) return typeAt(nullable.ofType, typeof key === 'number' ? rest : path);
  const field = isInputObjectType(nullable) ? nullable.getFields()[key] : undefined;
  return field ? typeAt(field.type, rest) : type;
}

const builtIn: Readonly<Record<string, { expectation: string; jsonType: string }>> = {
  String: { expectation: 'a string', jsonType: 'string' },
  Int: { expectation: 'an integer', jsonType: 'integer' },
  Float: { expectation: 'a number', jsonType: 'number' },
  Boolean: { expectation: 'true or false', jsonType: 'boolean' },
};

/** What a value of the type is, for people. */
export function expectationOf(type: GraphQLInputType): string {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return 'a list';
  if (isScalarType(nullable))
    return (
      nullable.extensions.contract?.expectation ??
      builtIn[nullable.name]?.expectation ??
      `a valid ${nullable.name}`
    );
  if (isEnumType(nullable))
    return `one of ${Array.from(nullable.getValues(), ({ name }) => name).join(', ')}`;
  return 'an object';
}

/** A whole sentence from the name of a value and what is wrong with it. */
export const sentenceOf = (name: string, message: string): string =>
  message.startsWith(':') ? name + message : `${name} ${message}`;
