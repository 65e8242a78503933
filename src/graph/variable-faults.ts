import {
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isScalarType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { withoutLargeLeaves } from './large-leaves.ts';
import { graphLimits } from './limits.ts';

type Path = ReadonlyArray<string | number>;

/** What is wrong with the values of an operation's variables, each named by its place. GraphQL's own messages repeat the value. */
export function variableFaults(schema: GraphQLSchema, operation: OperationDefinitionNode, given: Readonly<Record<string, unknown>>): string[] {
  const faults = (operation.variableDefinitions ?? []).flatMap(({ variable, type: typeNode, defaultValue }) => {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode);
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (!isInputType(type)) return [];
    if (value === undefined) return isNonNullType(type) && !defaultValue ? [`$${name} is required`] : [];
    return faultsOfValue(type, value).map((fault) => `$${name}${fault}`);
  });
  return faults.slice(0, graphLimits.faultsTold);
}

/** Ends the walk through a value: a megabyte of wrong items would take seconds to name. */
class EnoughFaults extends Error {}

function faultsOfValue(type: GraphQLInputType, value: unknown): string[] {
  const faults: string[] = [];
  const note = (path: Path, invalid: unknown, { message }: Error) => {
    const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
    const wanted = typeAt(type, path);
    const isObject = typeof invalid === 'object' && invalid !== null && !Array.isArray(invalid);
    faults.push(isObject && isInputObjectType(getNullableType(wanted)) ? `${place}: ${message}` : `${place} must be ${expectationOf(wanted)}`);
    if (faults.length === graphLimits.faultsTold) throw new EnoughFaults();
  };
  try {
    coerceInputValue(withoutLargeLeaves(type, value), type, note, true);
  } catch (error) {
    if (!(error instanceof EnoughFaults)) throw error;
  }
  return faults;
}

function typeAt(type: GraphQLInputType, path: Path): GraphQLInputType {
  const [key, ...rest] = path;
  const nullable = getNullableType(type);
  if (key === undefined) return type;
  if (isListType(nullable)) return typeAt(nullable.ofType, typeof key === 'number' ? rest : path);
  const field = isInputObjectType(nullable) ? nullable.getFields()[key] : undefined;
  return field ? typeAt(field.type, rest) : type;
}

const builtIn: Readonly<Record<string, string>> = { String: 'a string', Int: 'an integer', Float: 'a number', Boolean: 'true or false' };

function expectationOf(type: GraphQLInputType): string {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return 'a list';
  if (isScalarType(nullable)) return nullable.extensions.contract?.expectation ?? builtIn[nullable.name] ?? `a valid ${nullable.name}`;
  if (isEnumType(nullable)) return `one of ${Array.from(nullable.getValues(), ({ name }) => name).join(', ')}`;
  return 'an object';
}
