import {
  type ConstDirectiveNode,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  type InputValueDefinitionNode,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';

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
            directives: field?.extensions.nullOnlyOnError ? [directive('semanticNonNull')] : [],
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

function withRule(
  node: InputValueDefinitionNode,
  input: GraphQLArgument | GraphQLInputField | undefined,
): InputValueDefinitionNode {
  const rule = input?.extensions.rule?.directive;
  if (!rule) return node;
  const { name, ...bounds } = rule;
  return { ...node, directives: [...(node.directives ?? []), directive(name, bounds)] };
}

const directive = (name: string, values: Record<string, number> = {}): ConstDirectiveNode => ({
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: name },
  arguments: Object.entries(values).map(([argument, value]) => ({
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: argument },
    value: { kind: Kind.INT, value: String(value) },
  })),
});
