import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
} from 'graphql';
import type { FieldErrorCode } from '../../platform/errors.ts';
import { inputFaultsOf } from '../../platform/input-fault.ts';
import type { InputRule } from './input-rules.ts';
import { mismatch, ScalarError } from './scalars.ts';

/**
 * An invalid value, or an invalid part of it, which `subpath` names, such as `[2].email`. The
 * message starts with a verb.
 */
export type ValueFault = { subpath: string; code: FieldErrorCode; message: string };

/** What a value must be: a value of the type that the rule accepts. */
export type ExpectedValue = { type: GraphQLInputType; rule?: InputRule | undefined };

/**
 * Finds the faults of a value, up to `faultsMax`. `coerceInputValue` of graphql-js is not used: its
 * messages repeat the value, which takes a quarter of a second for an object of 75,000 keys.
 */
export function faultsOfValue(
  expected: ExpectedValue,
  value: unknown,
  faultsMax: number,
): ValueFault[] {
  const faults: ValueFault[] = [];
  for (const fault of faultsIn(expected, value, '')) {
    faults.push(fault);
    if (faults.length === faultsMax) break;
  }
  return faults;
}

function* faultsIn(
  expected: ExpectedValue,
  value: unknown,
  subpath: string,
): Generator<ValueFault> {
  const { type, rule } = expected;
  const nullable = getNullableType(type);
  if (value === null || value === undefined) {
    if (isNonNullType(type)) yield { subpath, ...faultOfType(expected, null) };
  } else if (rule) {
    yield* faultsOf(() => rule.parse(value), expected, value, subpath);
  } else if (isListType(nullable)) {
    if (!Array.isArray(value)) yield* faultsOfSingle(expected, nullable.ofType, value, subpath);
    else
      for (const [index, item] of value.entries())
        yield* faultsIn({ type: nullable.ofType }, item, `${subpath}[${index}]`);
  } else if (isInputObjectType(nullable)) {
    yield* faultsOfObject(nullable, value, subpath);
  } else if (isEnumType(nullable) ? !isNameOf(nullable, value) : !isBuiltIn(nullable, value)) {
    yield { subpath, ...faultOfType(expected, value) };
  } else if (isScalarType(nullable) && !builtIn[nullable.name]) {
    yield* faultsOf(() => nullable.parseValue(value), expected, value, subpath);
  }
}

/** GraphQL accepts a single value as a list of one. */
function* faultsOfSingle(
  list: ExpectedValue,
  type: GraphQLInputType,
  value: unknown,
  subpath: string,
): Generator<ValueFault> {
  for (const fault of faultsIn({ type }, value, subpath))
    yield fault.subpath === subpath ? { subpath, ...faultOfType(list, value) } : fault;
}

function* faultsOfObject(
  type: GraphQLInputObjectType,
  value: unknown,
  subpath: string,
): Generator<ValueFault> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    yield { subpath, ...faultOfType({ type }, value) };
    return;
  }
  const fields = type.getFields();
  for (const field of Object.values(fields)) {
    const { name } = field;
    const item: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    if (item !== undefined)
      yield* faultsIn(
        { type: field.type, rule: field.extensions.rule },
        item,
        `${subpath}.${name}`,
      );
    else if (isRequiredInputField(field))
      yield { subpath: `${subpath}.${name}`, code: 'REQUIRED', message: 'is required' };
  }
  if (type.isOneOf && sentFields(fields, value).length !== 1)
    yield { subpath, ...faultOfOneOf(type) };
  for (const name of Object.keys(value))
    if (!Object.hasOwn(fields, name))
      yield {
        subpath: `${subpath}.${name}`,
        code: 'UNKNOWN_FIELD',
        message: 'is not a field of this object',
      };
}

/** The fields that have a value; null counts as none. */
const sentFields = (fields: object, value: object): string[] =>
  Object.keys(fields).filter(
    (name) => Object.hasOwn(value, name) && (Reflect.get(value, name) ?? null) !== null,
  );

/** The fault of an object of which not exactly one field is set. */
export const faultOfOneOf = (
  type: GraphQLInputObjectType,
): Pick<ValueFault, 'code' | 'message'> => ({
  code: 'INVALID',
  message: `must have exactly one of the fields ${Object.keys(type.getFields()).join(', ')}`,
});

/** Runs a parse function, and describes the fault that it throws. */
function* faultsOf(
  parse: () => unknown,
  expected: ExpectedValue,
  value: unknown,
  subpath: string,
): Generator<ValueFault> {
  try {
    parse();
  } catch (error) {
    const faults = error instanceof ScalarError ? [error] : inputFaultsOf(error);
    if (!faults) yield { subpath, ...faultOfType(expected, value) };
    for (const fault of faults ?? [])
      yield { subpath: subpath + fault.subpath, code: fault.code, message: fault.message };
  }
}

/** The code and message for a value of the wrong type. */
export function faultOfType(
  expected: ExpectedValue,
  value: unknown,
): Pick<ValueFault, 'code' | 'message'> {
  const nullable = getNullableType(expected.type);
  const { code, message } = mismatch(
    { expectation: expectationOf(expected), jsonType: jsonTypeOf(expected) },
    value,
  );
  return {
    code: code === 'INVALID_FORMAT' && isEnumType(nullable) ? 'UNKNOWN_VALUE' : code,
    message,
  };
}

function jsonTypeOf({ type, rule }: ExpectedValue): unknown {
  const nullable = getNullableType(type);
  if (rule) return rule.jsonSchema['type'];
  if (isListType(nullable)) return 'array';
  if (isEnumType(nullable)) return 'string';
  if (isInputObjectType(nullable)) return 'object';
  return isScalarType(nullable)
    ? (nullable.extensions.contract?.jsonSchema['type'] ?? builtIn[nullable.name]?.jsonType)
    : undefined;
}

const int32 = 2 ** 31;

const builtIn: Readonly<
  Record<
    string,
    | { expectation: string; jsonType: string | undefined; accepts: (value: unknown) => boolean }
    | undefined
  >
> = {
  ID: {
    expectation: 'a valid ID',
    jsonType: undefined,
    accepts: (value) => typeof value === 'string' || Number.isInteger(value),
  },
  String: {
    expectation: 'a string',
    jsonType: 'string',
    accepts: (value) => typeof value === 'string',
  },
  Int: {
    expectation: 'an integer',
    jsonType: 'integer',
    accepts: (value) => Number.isInteger(value) && Number(value) >= -int32 && Number(value) < int32,
  },
  Float: { expectation: 'a number', jsonType: 'number', accepts: Number.isFinite },
  Boolean: {
    expectation: 'true or false',
    jsonType: 'boolean',
    accepts: (value) => typeof value === 'boolean',
  },
};

const isBuiltIn = (type: GraphQLScalarType, value: unknown): boolean =>
  builtIn[type.name]?.accepts(value) ?? true;

const isNameOf = (type: GraphQLEnumType, value: unknown): boolean =>
  typeof value === 'string' && type.getValue(value) !== undefined;

/** A description of valid values, for people. */
export function expectationOf({ type, rule }: ExpectedValue): string {
  if (rule) return rule.expectation;
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
