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
import type { FieldErrorCode } from '../../platform/errors.ts';
import { mismatch, ScalarError } from '../schema/scalars.ts';
import { withoutLargeLeaves } from './large-leaves.ts';

/**
 * An invalid value, or an invalid part of it, which `subpath` names, such as `[2].email`. The
 * message starts with a verb.
 */
export type ValueFault = { subpath: string; code: FieldErrorCode; message: string };

/** Stops the coercion: describing each of 500,000 invalid items would take minutes. */
class FaultLimitReached extends Error {}

/**
 * Finds the faults of a value, up to `faultsMax`. The messages of graphql-js repeat the value, so
 * they are not used.
 */
export function faultsOfValue(
  type: GraphQLInputType,
  value: unknown,
  faultsMax: number,
): ValueFault[] {
  const faults: ValueFault[] = [];
  const collect = (path: readonly (string | number)[], invalid: unknown, error: GraphQLError) => {
    faults.push(...faultsAt(type, path, invalid, error));
    if (faults.length >= faultsMax) throw new FaultLimitReached();
  };
  try {
    coerceInputValue(withoutLargeLeaves(type, value), type, collect, true);
  } catch (error) {
    if (!(error instanceof FaultLimitReached)) throw error;
  }
  return faults.slice(0, faultsMax);
}

function faultsAt(
  type: GraphQLInputType,
  path: readonly (string | number)[],
  invalid: unknown,
  error: GraphQLError,
): ValueFault[] {
  const subpath = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  if (error instanceof ScalarError)
    return [{ subpath: subpath + error.subpath, code: error.code, message: error.message }];
  const expectedType = typeAt(type, path);
  return [
    faultOfObject(subpath, expectedType, invalid, error) ?? {
      subpath,
      ...faultOfType(expectedType, invalid),
    },
  ];
}

/**
 * A missing or unknown field of an input object; undefined if the value is not an object of that
 * type.
 */
function faultOfObject(
  subpath: string,
  type: GraphQLInputType,
  invalid: unknown,
  { message }: GraphQLError,
): ValueFault | undefined {
  const expectedType = getNullableType(type);
  if (
    !isInputObjectType(expectedType) ||
    typeof invalid !== 'object' ||
    invalid === null ||
    Array.isArray(invalid)
  )
    return undefined;
  const [, name = ''] = /^Field "(\w+)"/.exec(message) ?? [];
  const field = expectedType.getFields()[name];
  if (field && isRequiredInputField(field))
    return { subpath: `${subpath}.${name}`, code: 'REQUIRED', message: 'is required' };
  if (name !== '' && !field)
    return {
      subpath: `${subpath}.${name}`,
      code: 'UNKNOWN_FIELD',
      message: 'is not a field of this object',
    };
  return { subpath, code: 'INVALID', message: `must be ${expectationOf(type)}` };
}

/** The code and message for a value of the wrong type. */
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

/** A description of valid values of the type, for people. */
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

/** A sentence from the name of a value and its fault. */
export const sentenceOf = (name: string, message: string): string =>
  message.startsWith(':') ? name + message : `${name} ${message}`;
