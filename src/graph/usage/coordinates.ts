import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/**
 * The schema coordinates that a valid document uses: `Type.field`, `Type.field(argument:)`,
 * `Input.field` and `Enum.VALUE`. A variable can hold each field and each value of its type, so it
 * counts as a use of all of them.
 */
export function coordinatesOf(schema: GraphQLSchema, document: DocumentNode): string[] {
  const found = new Set<string>();
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: () => add(found, types.getParentType(), types.getFieldDef()),
      Argument() {
        const [parent, field] = [types.getParentType(), types.getFieldDef()];
        if (parent && field && !types.getDirective())
          found.add(`${parent.name}.${field.name}(${types.getArgument()?.name}:)`);
      },
      ObjectField(node) {
        const input = getNamedType(types.getParentInputType());
        if (input) found.add(`${input.name}.${node.name.value}`);
      },
      EnumValue: () => add(found, getNamedType(types.getInputType()), types.getEnumValue()),
      VariableDefinition(node) {
        addMembers(found, getNamedType(typeFromAST(schema, node.type)));
      },
    }),
  );
  return [...found];
}

type Named = { name: string };

/** Fields such as `__typename` belong to every schema. */
function add(found: Set<string>, type: Named | null | undefined, member: Named | null | undefined) {
  if (type && member && !type.name.startsWith('__') && !member.name.startsWith('__'))
    found.add(`${type.name}.${member.name}`);
}

function addMembers(found: Set<string>, type: GraphQLNamedType | undefined): void {
  if (isEnumType(type)) for (const value of type.getValues()) add(found, type, value);
  if (!isInputObjectType(type)) return;
  for (const field of Object.values(type.getFields())) {
    if (found.has(`${type.name}.${field.name}`)) continue;
    add(found, type, field);
    addMembers(found, getNamedType(field.type));
  }
}
