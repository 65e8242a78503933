import { type GraphQLInputType, getNamedType, isNonNullType, isScalarType } from 'graphql';
import { isMisplaced } from '../graph/presence.ts';
import {
  expectationOf,
  faultOfType,
  faultsOfValue,
  sentenceOf,
  type ValueFault,
} from '../graph/value-faults.ts';
import { type FieldError, InputError, notFound } from '../platform/errors.ts';
import type { Variable } from './operation.ts';
import type { Match } from './router.ts';

type Inputs = {
  params: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
  headers: Headers;
};

/** Variables that HTTP has a header for. */
export const headerVariables: Readonly<Record<string, string>> = { ifMatch: 'If-Match' };

type Place = 'path' | 'header' | 'query' | 'body';

/**
 * Where a variable of a call comes from: its path, a header of HTTP's own, else the query of a
 * read, else the body.
 */
export function placeOf({ route }: Pick<Match, 'route'>, name: string): Place {
  if (route.segments.includes(`:${name}`)) return 'path';
  if (Object.hasOwn(headerVariables, name)) return 'header';
  return route.method === 'GET' || route.method === 'DELETE' ? 'query' : 'body';
}

/**
 * The operation's variables by presence: absent stays absent, null stays null. One error names
 * every fault.
 */
export function collectVariables(match: Match, inputs: Inputs): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  const faults: FieldError[] = [];
  let unknownResource = false;
  for (const variable of match.route.operation.variables) {
    const { name } = variable;
    const place = placeOf(match, name);
    const value = valueAt(place, variable, inputs);
    // graphql-jit knows no default of a variable that may not be null, so it is filled in here.
    const chosen = value === undefined ? variable.defaultValue : value;
    if (chosen !== undefined) variables[name] = chosen;
    const found = faultsOf(variable, place, chosen);
    // What no resource can be called is not wrong input, it is not there.
    if (place === 'path') unknownResource ||= found.length > 0;
    else faults.push(...found);
  }
  if (faults.length > 0) throw new InputError(faults);
  if (unknownResource) throw notFound('Resource');
  return variables;
}

function valueAt(
  place: Place,
  { name, type }: Variable,
  { params, query, body, headers }: Inputs,
): unknown {
  if (place === 'path') return params[name];
  if (place === 'header') return headers.get(headerVariables[name] ?? name) ?? undefined;
  if (place === 'query') return fromQuery(query.getAll(name), type);
  return Object.hasOwn(body, name) ? body[name] : undefined;
}

function faultsOf({ name, type, argument }: Variable, place: Place, value: unknown): FieldError[] {
  const field = (place === 'header' && headerVariables[name]) || name;
  const misplaced = isMisplaced(argument?.extensions.presence, value);
  if (value === undefined)
    return misplaced || isNonNullType(type)
      ? [{ field, code: 'REQUIRED', message: `${field} is required` }]
      : [];
  if (place === 'query') return queryFaultsOf(field, type, value);
  if (misplaced) return [named(field, { place: '', ...faultOfType(type, value) })];
  return faultsOfValue(type, value, faultsMax).map((fault) => named(field, fault));
}

/** A query string has only text: that a number is a text is no news. */
function queryFaultsOf(field: string, type: GraphQLInputType, value: unknown): FieldError[] {
  if (Array.isArray(value))
    return [
      {
        field,
        code: 'REPEATED',
        message: `${field} must be given once, not ${value.length} times`,
      },
    ];
  return faultsOfValue(type, value, faultsMax).map(({ code, message, place }) =>
    named(
      field,
      code === 'WRONG_TYPE'
        ? { place, code: 'INVALID_FORMAT', message: `must be ${expectationOf(type)}` }
        : { place, code, message },
    ),
  );
}

const named = (name: string, { place, code, message }: ValueFault): FieldError => ({
  field: name + place,
  code,
  message: sentenceOf(name + place, message),
});

const faultsMax = 20;

const whole = /^-?(0|[1-9]\d{0,15})$/;

/**
 * A query string has only text: numbers and booleans are read where the type wants them, and
 * nothing is guessed.
 */
function fromQuery(values: string[], type: GraphQLInputType): unknown {
  if (values.length > 1) return values;
  const text = values[0];
  const named = getNamedType(type);
  const kind = isScalarType(named)
    ? (named.extensions.contract?.jsonSchema['type'] ?? named.name)
    : '';
  if (text !== undefined && (kind === 'integer' || kind === 'Int') && whole.test(text))
    return Number(text);
  if (kind === 'Boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
