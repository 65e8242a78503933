import {
  type ASTNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isValueNode,
  Kind,
  TypeInfo,
  type ValueNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { type FieldErrorCode, inputError } from '../../platform/errors.ts';
import type { InputRule } from '../schema/input-rules.ts';
import { ScalarError } from '../schema/scalars.ts';
import { expectationOf, faultOfOneOf, faultOfType, sentenceOf } from '../schema/value-faults.ts';
import { argumentsOfVariables, nameOf } from './argument-names.ts';
import { rulePositions } from './input-positions.ts';

/**
 * The position of a value in a document: its path below the argument, and the owner of the argument
 * (empty for the default of a variable).
 */
type LiteralPosition = {
  field: string;
  owner: string;
  type: GraphQLInputType | undefined;
  rule: InputRule | undefined;
};

/**
 * Rewrites validation errors so that each invalid literal is named by its argument. The messages of
 * graphql-js name only the type, and repeat the value.
 */
export function addLiteralNames(
  schema: GraphQLSchema,
  document: DocumentNode,
  errors: readonly GraphQLError[],
): GraphQLError[] {
  const literals = new Map(
    errors.flatMap((error) => (literalOf(error) ? [[literalOf(error), error]] : [])),
  );
  if (literals.size === 0) return [...errors];
  const positions = findPositions(schema, document, new Set(literals.keys()));
  const argumentOf = argumentsOfVariables(document);
  return errors.map((error) => {
    const node = literalOf(error);
    const position = node && positions.get(node);
    if (!node || !position) return error;
    const { owner } = position;
    const fault = faultOf(error, node, position);
    const name = position.field + fault.subpath;
    const title = owner === '' ? `The default of $${name}` : `The argument ${name}${owner}`;
    const field = owner === '' ? argumentOf(name) : name;
    const originalError = inputError(field, fault.code, sentenceOf(title, fault.message));
    return new GraphQLError(originalError.message, { nodes: error.nodes ?? null, originalError });
  });
}

/**
 * The literal that an error refers to. A variable that does not fit its argument is an error of the
 * document, not of a value.
 */
function literalOf({ nodes }: GraphQLError): ValueNode | undefined {
  const [node] = nodes ?? [];
  return node && isValueNode(node) && node.kind !== Kind.VARIABLE ? node : undefined;
}

type LiteralProblem = { subpath: string; code: FieldErrorCode; message: string };

function faultOf(
  error: GraphQLError,
  node: ValueNode,
  { type, rule }: LiteralPosition,
): LiteralProblem {
  if (error instanceof ScalarError) return error;
  const [, required] = /^Field "\w+\.(\w+)" of required type/.exec(error.message) ?? [];
  if (required && isInputObjectType(type && getNullableType(type)))
    return { subpath: `.${required}`, code: 'REQUIRED', message: 'is required' };
  const object = type && getNullableType(type);
  if (isInputObjectType(object) && object.isOneOf && node.kind === Kind.OBJECT)
    return { subpath: '', ...faultOfOneOf(object) };
  return {
    subpath: '',
    ...(type
      ? faultOfLiteral({ type, rule }, node)
      : ({ code: 'INVALID', message: 'is not valid here' } as const)),
  };
}

function faultOfLiteral(
  expected: { type: GraphQLInputType; rule: InputRule | undefined },
  node: ValueNode,
): Pick<LiteralProblem, 'code' | 'message'> {
  // An enum value is written like a string without quotes, and the two are not interchangeable.
  if (node.kind === Kind.ENUM && !isEnumType(getNullableType(expected.type)))
    return {
      code: 'WRONG_TYPE',
      message: `must be ${expectationOf(expected)}, not a name without quotes`,
    };
  const { code, message } = faultOfType(expected, valueFromASTUntyped(node));
  if (node.kind === Kind.STRING && code === 'UNKNOWN_VALUE')
    return { code: 'WRONG_TYPE', message: `${message}, without quotes` };
  return { code, message };
}

function findPositions(
  schema: GraphQLSchema,
  document: DocumentNode,
  nodes: ReadonlySet<ASTNode | undefined>,
): Map<ASTNode, LiteralPosition> {
  const types = new TypeInfo(schema);
  const rules = new Map(
    rulePositions(schema, document).map(({ value, rule }): [ASTNode, InputRule] => [value, rule]),
  );
  const positions = new Map<ASTNode, LiteralPosition>();
  visit(
    document,
    visitWithTypeInfo(types, {
      enter(node, _key, parent, path, ancestors) {
        if (nodes.has(node))
          positions.set(node, {
            ...nameOf(parent ? [...ancestors, parent] : ancestors, path),
            type: types.getInputType() ?? undefined,
            rule: rules.get(node),
          });
      },
    }),
  );
  return positions;
}
