import { coerceInputValue, type GraphQLInputType, getNamedType, isEnumType, isNonNullType, isScalarType } from 'graphql';
import { withoutLargeLeaves } from '../graph/large-leaves.ts';
import { isMisplaced } from '../graph/presence.ts';
import { InputFault } from '../graph/scalars.ts';
import { AppError, notFound } from '../platform/errors.ts';
import type { Variable } from './operation.ts';
import type { Match } from './router.ts';

type Inputs = { params: Record<string, string>; query: URLSearchParams; body: Record<string, unknown>; headers: Headers };

/** Variables that HTTP has a header for. */
export const headerVariables: Readonly<Record<string, string>> = { ifMatch: 'If-Match' };

/** Where a variable of a call comes from: its path, a header of HTTP's own, else the query of a read, else the body. */
export function placeOf({ route }: Pick<Match, 'route'>, name: string): 'path' | 'header' | 'query' | 'body' {
  if (route.segments.includes(`:${name}`)) return 'path';
  if (Object.hasOwn(headerVariables, name)) return 'header';
  return route.method === 'GET' || route.method === 'DELETE' ? 'query' : 'body';
}

/** The operation's variables by presence: absent stays absent, null stays null. One error names every fault. */
export function collectVariables(match: Match, inputs: Inputs): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  const faults: string[] = [];
  let unknownResource = false;
  for (const variable of match.route.operation.variables) {
    const { name } = variable;
    const place = placeOf(match, name);
    const value = valueAt(place, variable, inputs);
    // graphql-jit knows no default of a variable that may not be null, so it is filled in here.
    const chosen = value === undefined ? variable.defaultValue : value;
    if (chosen !== undefined) variables[name] = chosen;
    const found = faultsOf(variable, chosen);
    // What no resource can be called is not wrong input, it is not there.
    if (place === 'path') unknownResource ||= found.length > 0;
    else faults.push(...found);
  }
  if (faults.length > 0) throw new AppError('BAD_INPUT', faults.join('; '));
  if (unknownResource) throw notFound('Resource');
  return variables;
}

function valueAt(place: ReturnType<typeof placeOf>, { name, type }: Variable, { params, query, body, headers }: Inputs): unknown {
  if (place === 'path') return params[name];
  if (place === 'header') return headers.get(headerVariables[name] ?? name) ?? undefined;
  if (place === 'query') return fromQuery(query.getAll(name), type);
  return Object.hasOwn(body, name) ? body[name] : undefined;
}

function faultsOf({ name, type, argument }: Variable, value: unknown): string[] {
  const misplaced = isMisplaced(argument?.extensions.presence, value);
  if (value === undefined) return misplaced || isNonNullType(type) ? [`${name} is required`] : [];
  if (misplaced) return [`${name} must be ${expectationOf(type)}`];
  const faults: string[] = [];
  try {
    coerceInputValue(withoutLargeLeaves(type, value), type, (path, _invalid, error) => {
      const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
      const fault = error.originalError ?? error;
      faults.push(`${name}${place} ${fault instanceof InputFault ? fault.message : `must be ${expectationOf(type)}`}`);
      // An error for each of 500,000 items of a list would take minutes.
      if (faults.length === faultsMax) throw new EnoughFaults();
    });
  } catch (error) {
    if (!(error instanceof EnoughFaults)) throw error;
  }
  return faults;
}

const faultsMax = 20;
class EnoughFaults extends Error {}

const builtIn: Record<string, string> = { String: 'a string', Int: 'an integer', Float: 'a number', Boolean: 'true or false' };

function expectationOf(type: GraphQLInputType): string {
  const named = getNamedType(type);
  if (isScalarType(named)) return named.extensions.contract?.expectation ?? builtIn[named.name] ?? 'valid';
  if (isEnumType(named))
    return `one of ${named
      .getValues()
      .map((value) => value.name)
      .join(', ')}`;
  return 'an object';
}

const whole = /^-?(0|[1-9]\d{0,15})$/;

/** A query string has only text: numbers and booleans are read where the type wants them, and nothing is guessed. */
function fromQuery(values: string[], type: GraphQLInputType): unknown {
  if (values.length > 1) return values;
  const text = values[0];
  const named = getNamedType(type);
  const kind = isScalarType(named) ? (named.extensions.contract?.jsonSchema['type'] ?? named.name) : '';
  if (text !== undefined && (kind === 'integer' || kind === 'Int') && whole.test(text)) return Number(text);
  if (kind === 'Boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
