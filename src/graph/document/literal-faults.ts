import {
  type ASTNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
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
import { ScalarError } from '../schema/scalars.ts';
import { faultOfType, sentenceOf } from './value-faults.ts';

/**
 * The position of a value in a document: its path below the argument, and the owner of the argument
 * (empty for the default of a variable).
 */
type LiteralPosition = { field: string; owner: string; type: GraphQLInputType | undefined };

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
  return errors.map((error) => {
    const node = literalOf(error);
    const position = node && positions.get(node);
    if (!node || !position) return error;
    const fault = faultOf(error, node, position.type);
    const field = position.field + fault.subpath;
    const title =
      position.owner === '' ? `The default of $${field}` : `The argument ${field}${position.owner}`;
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
  type: GraphQLInputType | undefined,
): LiteralProblem {
  if (error instanceof ScalarError) return error;
  const [, required] = /^Field "\w+\.(\w+)" of required type/.exec(error.message) ?? [];
  if (required && isInputObjectType(type && getNullableType(type)))
    return { subpath: `.${required}`, code: 'REQUIRED', message: 'is required' };
  return {
    subpath: '',
    ...(type
      ? faultOfLiteral(type, node)
      : ({ code: 'INVALID', message: 'is not valid here' } as const)),
  };
}

function faultOfLiteral(
  type: GraphQLInputType,
  node: ValueNode,
): Pick<LiteralProblem, 'code' | 'message'> {
  // An enum value is written like a string without quotes, and the two are not interchangeable.
  const { code, message } = faultOfType(type, valueFromASTUntyped(node));
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
  const positions = new Map<ASTNode, LiteralPosition>();
  visit(
    document,
    visitWithTypeInfo(types, {
      enter(node, _key, parent, path, ancestors) {
        if (nodes.has(node))
          positions.set(node, {
            ...nameOf(parent ? [...ancestors, parent] : ancestors, path),
            type: types.getInputType() ?? undefined,
          });
      },
    }),
  );
  return positions;
}

/** `path[i]` is the key that leads from `ancestors[i]` to the next node. */
function nameOf(
  ancestors: readonly (ASTNode | readonly ASTNode[])[],
  path: readonly (string | number)[],
): Pick<LiteralPosition, 'field' | 'owner'> {
  let owner = '';
  let field = '';
  for (const [index, ancestor] of ancestors.entries()) {
    if (!('kind' in ancestor)) {
      if (path[index - 1] === 'values') field += `[${path[index]}]`;
    } else if (ancestor.kind === Kind.FIELD) owner = ` of ${ancestor.name.value}`;
    else if (ancestor.kind === Kind.DIRECTIVE) owner = ` of @${ancestor.name.value}`;
    else if (ancestor.kind === Kind.ARGUMENT) field = ancestor.name.value;
    else if (ancestor.kind === Kind.OBJECT_FIELD) field += `.${ancestor.name.value}`;
    else if (ancestor.kind === Kind.VARIABLE_DEFINITION) field = ancestor.variable.name.value;
  }
  return { owner, field };
}
