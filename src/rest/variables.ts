import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import { violatesPresence } from '../graph/schema/presence.ts';
import {
  type ExpectedValue,
  expectationOf,
  faultOfType,
  faultsOfValue,
  sentenceOf,
  type ValueFault,
} from '../graph/schema/value-faults.ts';
import { type FieldError, InputError, notFound } from '../platform/errors.ts';
import { faultsMax, inputFaultsOf } from '../platform/input-fault.ts';
import { renamedValues } from './enum-names.ts';
import { isByCursor } from './list-links.ts';
import type { RouteMatch } from './load-routes.ts';
import type { OperationVariable } from './operation.ts';

type RequestInputs = {
  params: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
  headers: Headers;
};

/** The variables that are sent in a standard HTTP header. */
export const headerVariables: Readonly<Record<string, string>> = {
  ifMatch: 'If-Match',
  lastEventId: 'Last-Event-ID',
};

type VariableLocation = 'path' | 'header' | 'query' | 'body';

/**
 * Where a variable of a call is sent: in the path, in a standard header, in the query of a GET or
 * DELETE, or else in the body.
 */
export function locationOf({ route }: Pick<RouteMatch, 'route'>, name: string): VariableLocation {
  if (route.segments.includes(`:${name}`)) return 'path';
  if (Object.hasOwn(headerVariables, name)) return 'header';
  return route.method === 'GET' || route.method === 'DELETE' ? 'query' : 'body';
}

/**
 * Collects the variables of the operation. An absent value stays absent, and null stays null. One
 * error names every invalid value.
 */
export function collectVariables(
  match: RouteMatch,
  inputs: RequestInputs,
): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  const faults: FieldError[] = [];
  let isUnknownResource = false;
  for (const variable of match.route.operation.variables) {
    const { name } = variable;
    const location = locationOf(match, name);
    const sent = valueAt(location, variable, inputs);
    if (location === 'query' && Array.isArray(sent)) {
      const message = `${name} must be given once, not ${sent.length} times`;
      faults.push({ field: name, code: 'REPEATED', message });
      continue;
    }
    // The parser of the query writes U+FFFD in place of bytes that are not UTF-8.
    if (location === 'query' && typeof sent === 'string' && sent.includes('\ufffd')) {
      const message = `${name} must be encoded in UTF-8, and must not contain the character U+FFFD`;
      faults.push({ field: name, code: 'INVALID_CHARACTERS', message });
      continue;
    }
    const { restForm } = variable.argument?.extensions ?? {};
    if (restForm && sent !== undefined) {
      try {
        variables[name] = restForm.parse(sent);
      } catch (error) {
        const thrown = inputFaultsOf(error);
        if (!thrown) throw error;
        faults.push(...thrown.map((fault) => fieldErrorOf(name, fault)));
      }
      continue;
    }
    const renamed = renamedValues(variable.type);
    if (renamed && typeof sent === 'string' && !renamed.has(sent)) {
      const message = `${name} must be one of ${[...renamed.keys()].join(', ')}`;
      faults.push({ field: name, code: 'UNKNOWN_VALUE', message });
      continue;
    }
    const received = renamed?.get(String(sent)) ?? sent;
    // graphql-jit ignores the default of a non-null variable, so it is filled in here.
    const value = received === undefined ? defaultOf(variable, inputs.query) : received;
    if (value !== undefined) variables[name] = value;
    const variableFaults = faultsOf(variable, location, value);
    if (name === 'page' && typeof value === 'number' && isByCursor(inputs.query))
      faults.push({
        field: name,
        code: 'INVALID',
        message: 'page cannot be used with after or before',
      });
    // An id in the path that no resource can have answers 404, not 400.
    if (location === 'path' && !hasForm(variable)) isUnknownResource ||= variableFaults.length > 0;
    else faults.push(...variableFaults);
  }
  if (faults.length > 0) throw new InputError(faults);
  if (isUnknownResource) throw notFound('Resource');
  return variables;
}

/**
 * Whether the caller composes the value, in a form that its argument states, such as a month. Ids
 * and tokens are opaque and have none.
 */
export const hasForm = ({ argument }: OperationVariable): boolean =>
  argument?.extensions.rule?.jsonSchema['pattern'] !== undefined;

/** A page after or before a cursor has no number. */
const defaultOf = ({ name, defaultValue }: OperationVariable, query: URLSearchParams): unknown =>
  name === 'page' && isByCursor(query) ? null : defaultValue;

function valueAt(
  location: VariableLocation,
  { name, type, argument }: OperationVariable,
  { params, query, body, headers }: RequestInputs,
): unknown {
  if (location === 'path') return params[name];
  if (location === 'header') {
    const value = headers.get(headerVariables[name] ?? name);
    return value === null ? undefined : fromQuery([value], type);
  }
  if (location === 'query') return fromQuery(query.getAll(name), type);
  if (!Object.hasOwn(body, name)) return undefined;
  return argument?.extensions.restForm ? body[name] : withoutUnknownFields(type, body[name]);
}

/** A body may have fields that the call does not know, and so may its objects. */
function withoutUnknownFields(type: GraphQLInputType, value: unknown): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable) && Array.isArray(value))
    return value.map((item) => withoutUnknownFields(nullable.ofType, item));
  if (!isInputObjectType(nullable) || !isRecord(value)) return value;
  const fields = nullable.getFields();
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(fields, name)));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function faultsOf(
  { name, type, argument }: OperationVariable,
  location: VariableLocation,
  value: unknown,
): FieldError[] {
  const field = (location === 'header' && headerVariables[name]) || name;
  const isPresenceWrong = violatesPresence(argument?.extensions.presence, value);
  if (value === undefined)
    return isPresenceWrong || isNonNullType(type)
      ? [{ field, code: 'REQUIRED', message: `${field} is required` }]
      : [];
  const expected = { type, rule: argument?.extensions.rule };
  if (location === 'query' || location === 'header') return queryFaultsOf(field, expected, value);
  // GraphQL takes a single value as a list of one.
  const isNoList = isListType(getNullableType(type)) && value !== null && !Array.isArray(value);
  if (isPresenceWrong || isNoList)
    return [fieldErrorOf(field, { subpath: '', ...faultOfType(expected, value) })];
  return faultsOfValue(expected, value, faultsMax).map((fault) => fieldErrorOf(field, fault));
}

/** Every value of a query string is text, so a wrong type is reported as a wrong format. */
function queryFaultsOf(field: string, expected: ExpectedValue, value: unknown): FieldError[] {
  return faultsOfValue(expected, value, faultsMax).map(({ code, message, subpath }) =>
    fieldErrorOf(
      field,
      code === 'WRONG_TYPE'
        ? { subpath, code: 'INVALID_FORMAT', message: `must be ${expectationOf(expected)}` }
        : { subpath, code, message },
    ),
  );
}

const fieldErrorOf = (name: string, { subpath, code, message }: ValueFault): FieldError => ({
  field: name + subpath,
  code,
  message: sentenceOf(name + subpath, message),
});

const integerPattern = /^-?(0|[1-9]\d{0,15})$/;

/**
 * Converts the text of a query string or a header to a number or a boolean if the variable has such a type.
 * Every other text stays as it is.
 */
function fromQuery(values: string[], type: GraphQLInputType): unknown {
  if (values.length > 1) return values;
  const text = values[0];
  const namedType = getNamedType(type);
  const typeKind = isScalarType(namedType)
    ? (namedType.extensions.contract?.jsonSchema['type'] ?? namedType.name)
    : '';
  if (
    text !== undefined &&
    (typeKind === 'integer' || typeKind === 'Int') &&
    integerPattern.test(text)
  )
    return Number(text);
  if (typeKind === 'Boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
