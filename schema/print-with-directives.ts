import {
  type ConstDirectiveNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
  type InputValueDefinitionNode,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  Kind,
  parse,
  parseConstValue,
  print,
  printSchema,
  visit,
} from 'graphql';
import { sizedByParent } from '../src/graph/schema/field-cost.ts';

const definitions = `
"""
The field is null only together with an error: a client that handles errors can treat it as never null.
"""
directive @semanticNonNull on FIELD_DEFINITION

"""How many Unicode characters a text has."""
directive @length(min: Int! = 0, max: Int!) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION

"""The least and the greatest value of a number. A bound that is absent is that of the type."""
directive @range(min: Float, max: Float) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION

"""How many distinct items a list has at most."""
directive @items(max: Int!) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION

"""
What a field adds to the cost of a document (https://ibm.github.io/graphql-specs/cost-spec.html). Without it a field that returns an object adds 1, and one that returns a scalar or an enum 0. \`__typename\` adds 1.
"""
directive @cost(weight: String!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR

"""
The length of a list, by which the cost of its entries is multiplied. A slicing argument is a number, or a list that counts by its own length; \`input.users\` is the field \`users\` of the argument \`input\`.
"""
directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
`;

/** The schema in the schema definition language, with the directives of its fields and inputs. */
export function printWithDirectives(schema: GraphQLSchema): string {
  const document = parse(`${printSchema(schema)}\n${definitions}`, { noLocation: true });
  const fieldsOf = (name: string) => {
    const type = schema.getType(name);
    return isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
  };
  return print(
    visit(document, {
      ObjectTypeDefinition: (node) => ({
        ...node,
        fields: node.fields?.map((fieldNode) => {
          const field = fieldsOf(node.name.value)[fieldNode.name.value];
          return {
            ...fieldNode,
            arguments: fieldNode.arguments?.map((argumentNode) =>
              withRule(
                argumentNode,
                field?.args.find(({ name }) => name === argumentNode.name.value),
              ),
            ),
            directives: field ? directivesOf(field) : [],
          };
        }),
      }),
      InputObjectTypeDefinition: (node) => {
        const type = schema.getType(node.name.value);
        if (!isInputObjectType(type)) return undefined;
        return {
          ...node,
          fields: node.fields?.map((field) => withRule(field, type.getFields()[field.name.value])),
        };
      },
    }),
  );
}

const directivesOf = (field: GraphQLField<unknown, unknown>): ConstDirectiveNode[] => [
  ...(field.extensions.nullOnlyOnError ? [directive('semanticNonNull')] : []),
  ...costDirectives(field),
];

function costDirectives({
  type,
  extensions: { cost: { weight = 1, listSize } = {} },
}: GraphQLField<unknown, unknown>): ConstDirectiveNode[] {
  const defaultWeight = isLeafType(getNamedType(type)) ? 0 : 1;
  return [
    ...(weight === defaultWeight ? [] : [directive('cost', { weight: String(weight) })]),
    ...(listSize === undefined || listSize === sizedByParent
      ? []
      : [
          directive('listSize', {
            ...listSize,
            // By default tools refuse a field without exactly one of them.
            ...(listSize.slicingArguments ? { requireOneSlicingArgument: false } : {}),
          }),
        ]),
  ];
}

function withRule(
  node: InputValueDefinitionNode,
  input: GraphQLArgument | GraphQLInputField | undefined,
): InputValueDefinitionNode {
  const rule = input?.extensions.rule?.directive;
  if (!rule) return node;
  const { name, ...bounds } = rule;
  return { ...node, directives: [...(node.directives ?? []), directive(name, bounds)] };
}

type DirectiveValue = number | string | boolean | readonly string[];

const directive = (
  name: string,
  values: Record<string, DirectiveValue> = {},
): ConstDirectiveNode => ({
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: name },
  // JSON of these values is also GraphQL.
  arguments: Object.entries(values).map(([argument, value]) => ({
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: argument },
    value: parseConstValue(JSON.stringify(value), { noLocation: true }),
  })),
});
