import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
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

type Deprecatable = { deprecationReason?: string | null | undefined };
/** The parts of a schema that can be deprecated, by their coordinates. */
type SchemaPart = [coordinate: string, part: Deprecatable];

/** The coordinates of a schema that are deprecated, each with its reason. */
export const deprecatedParts = (schema: GraphQLSchema): { coordinate: string; reason: string }[] =>
  Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap(partsOf)
    .flatMap(([coordinate, { deprecationReason: reason }]) =>
      reason ? [{ coordinate, reason }] : [],
    );

function partsOf(type: GraphQLNamedType): SchemaPart[] {
  if (isEnumType(type))
    return type.getValues().map((value) => [`${type.name}.${value.name}`, value]);
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field]);
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field): SchemaPart[] => [
    [`${type.name}.${field.name}`, field],
    ...field.args.map(
      (argument): SchemaPart => [`${type.name}.${field.name}(${argument.name}:)`, argument],
    ),
  ]);
}
