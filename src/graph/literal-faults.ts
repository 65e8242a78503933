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
import { type FieldErrorCode, inputError } from '../platform/errors.ts';
import { InputFault } from './scalars.ts';
import { faultOfType, sentenceOf } from './value-faults.ts';

/**
 * Where a value stands in a document: the path below its argument, and whose argument it is (empty
 * where it is a variable's default).
 */
type LiteralPlace = { field: string; owner: string; type: GraphQLInputType | undefined };

/**
 * The errors of validation, in which each wrong literal is named by its argument. GraphQL's own
 * messages name the type alone, and repeat the value.
 */
export function nameLiterals(
  schema: GraphQLSchema,
  document: DocumentNode,
  errors: readonly GraphQLError[],
): GraphQLError[] {
  const literals = new Map(
    errors.flatMap((error) => (literalOf(error) ? [[literalOf(error), error]] : [])),
  );
  if (literals.size === 0) return [...errors];
  const places = placesOf(schema, document, new Set(literals.keys()));
  return errors.map((error) => {
    const node = literalOf(error);
    const place = node && places.get(node);
    if (!node || !place) return error;
    const fault = faultOf(error, node, place.type);
    const field = place.field + fault.place;
    const title =
      place.owner === '' ? `The default of $${field}` : `The argument ${field}${place.owner}`;
    const originalError = inputError(field, fault.code, sentenceOf(title, fault.message));
    return new GraphQLError(originalError.message, { nodes: error.nodes ?? null, originalError });
  });
}

/**
 * The literal that an error points at; a variable that does not fit its argument is a fault of the
 * document's form.
 */
function literalOf({ nodes }: GraphQLError): ValueNode | undefined {
  const [node] = nodes ?? [];
  return node && isValueNode(node) && node.kind !== Kind.VARIABLE ? node : undefined;
}

type LiteralFault = { place: string; code: FieldErrorCode; message: string };

function faultOf(
  error: GraphQLError,
  node: ValueNode,
  type: GraphQLInputType | undefined,
): LiteralFault {
  if (error instanceof InputFault) return error;
  const [, required] = /^Field "\w+\.(\w+)" of required type/.exec(error.message) ?? [];
  if (required && isInputObjectType(type && getNullableType(type)))
    return { place: `.${required}`, code: 'REQUIRED', message: 'is required' };
  return {
    place: '',
    ...(type
      ? faultOfLiteral(type, node)
      : ({ code: 'INVALID', message: 'is not valid here' } as const)),
  };
}

function faultOfLiteral(
  type: GraphQLInputType,
  node: ValueNode,
): Pick<LiteralFault, 'code' | 'message'> {
  // An enum's value is written like a string without quotes, and neither stands for the other.
  const { code, message } = faultOfType(type, valueFromASTUntyped(node));
  if (node.kind === Kind.STRING && code === 'UNKNOWN_VALUE')
    return { code: 'WRONG_TYPE', message: `${message}, without quotes` };
  return { code, message };
}

function placesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  wanted: ReadonlySet<ASTNode | undefined>,
): Map<ASTNode, LiteralPlace> {
  const types = new TypeInfo(schema);
  const places = new Map<ASTNode, LiteralPlace>();
  visit(
    document,
    visitWithTypeInfo(types, {
      enter(node, _key, parent, path, ancestors) {
        if (wanted.has(node))
          places.set(node, {
            ...nameOf(parent ? [...ancestors, parent] : ancestors, path),
            type: types.getInputType() ?? undefined,
          });
      },
    }),
  );
  return places;
}

/** `path[i]` is the key by which the traversal went on from `ancestors[i]`. */
function nameOf(
  ancestors: readonly (ASTNode | readonly ASTNode[])[],
  path: readonly (string | number)[],
): Pick<LiteralPlace, 'field' | 'owner'> {
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
