import {
  type ArgumentNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type ObjectValueNode,
  type OperationDefinitionNode,
  parseType,
  TypeInfo,
  type ValueNode,
  type VariableDefinitionNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';

type Variables = Readonly<Record<string, unknown>>;
type HoistedObject = { name: string; value: ObjectValueNode; type: string };

export type HoistedDocument = {
  document: DocumentNode;
  /** The variables of that document, from those of the original one. */
  variablesFrom: (variables: Variables) => Variables;
};

/**
 * Replaces each argument that is an object with variables, such as `input: { name: $name }`, by one
 * variable. graphql-jit (0.8.9) sets a field of such an object to null if its variable was not
 * sent, where the field must be absent. The document has one operation.
 */
export function hoistObjects(schema: GraphQLSchema, document: DocumentNode): HoistedDocument {
  const types = new TypeInfo(schema);
  const objects: HoistedObject[] = [];
  const hoisted = visit(
    document,
    visitWithTypeInfo(types, {
      Argument: (node): ArgumentNode | undefined => {
        const { value } = node;
        const type = types.getInputType();
        if (!type || value.kind !== Kind.OBJECT || variablesIn(value).size === 0) return undefined;
        const name = `hoisted${objects.length}`;
        objects.push({ name, value, type: String(type) });
        return { ...node, value: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } } };
      },
    }),
  );
  if (objects.length === 0) return { document, variablesFrom: (variables) => variables };
  const used = variablesIn(withoutDefinitions(hoisted));
  const defaults: Record<string, unknown> = {};
  visit(document, {
    VariableDefinition: ({ variable, defaultValue }) => {
      if (defaultValue) defaults[variable.name.value] = valueFromASTUntyped(defaultValue);
    },
  });
  return {
    document: visit(hoisted, {
      OperationDefinition: (node): OperationDefinitionNode => ({
        ...node,
        variableDefinitions: [
          ...(node.variableDefinitions ?? []).filter(({ variable }) =>
            used.has(variable.name.value),
          ),
          ...objects.map(definitionOf),
        ],
      }),
    }),
    variablesFrom: (variables) => {
      const values = { ...defaults, ...variables };
      const hoistedValues = objects.map(({ name, value }) => [name, sentValueOf(value, values)]);
      return { ...variables, ...Object.fromEntries(hoistedValues) };
    },
  };
}

function variablesIn(node: ValueNode | DocumentNode): Set<string> {
  const names = new Set<string>();
  visit(node, { Variable: ({ name }) => void names.add(name.value) });
  return names;
}

const withoutDefinitions = (document: DocumentNode): DocumentNode =>
  visit(document, { VariableDefinition: () => null });

const definitionOf = ({ name, type }: HoistedObject): VariableDefinitionNode => ({
  kind: Kind.VARIABLE_DEFINITION,
  variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } },
  type: parseType(type, { noLocation: true }),
});

/** The value as a client would send it in a variable. A field without a value is absent. */
function sentValueOf(node: ValueNode, variables: Variables): unknown {
  if (node.kind === Kind.VARIABLE) return variables[node.name.value];
  if (node.kind === Kind.LIST)
    return node.values.map((value) => sentValueOf(value, variables) ?? null);
  if (node.kind !== Kind.OBJECT) return valueFromASTUntyped(node);
  return Object.fromEntries(
    node.fields
      .map(({ name, value }) => [name.value, sentValueOf(value, variables)])
      .filter(([, value]) => value !== undefined),
  );
}
