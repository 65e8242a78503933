import { type GraphQLSchema, isObjectType, Kind, parse, print, printSchema, visit } from 'graphql';

const definition = `
"""
The field is null only together with an error: a client that handles errors can treat it as never null.
"""
directive @semanticNonNull on FIELD_DEFINITION
`;

/** The schema in the schema definition language, with the directives of its fields. */
export function printWithDirectives(schema: GraphQLSchema): string {
  const document = parse(`${printSchema(schema)}\n${definition}`, { noLocation: true });
  return print(
    visit(document, {
      ObjectTypeDefinition: (node) => {
        const type = schema.getType(node.name.value);
        if (!isObjectType(type)) return undefined;
        const fields = type.getFields();
        return {
          ...node,
          fields: node.fields?.map((field) => ({
            ...field,
            directives: [
              ...(field.directives ?? []),
              ...(fields[field.name.value]?.extensions.nullOnlyOnError ? [semanticNonNull] : []),
            ],
          })),
        };
      },
    }),
  );
}

const semanticNonNull = {
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: 'semanticNonNull' },
} as const;
