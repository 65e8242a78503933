import { type ASTNode, type DocumentNode, Kind, visit } from 'graphql';

/**
 * The name of a value by the argument or variable that has it. `path[i]` is the key that leads from
 * `ancestors[i]` to the next node.
 */
export function nameOf(
  ancestors: readonly (ASTNode | readonly ASTNode[])[],
  path: readonly (string | number)[],
): { field: string; owner: string } {
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

/** Replaces the variable at the start of a name by the first argument that has its value. */
export function argumentsOfVariables(document: DocumentNode): (name: string) => string {
  const positions = new Map<string, string>();
  visit(document, {
    VariableDefinition: () => false,
    Variable: ({ name }, _key, parent, path, ancestors) => {
      const { field } = nameOf(parent ? [...ancestors, parent] : ancestors, path);
      if (!positions.has(name.value)) positions.set(name.value, field);
    },
  });
  return (name) => name.replace(/^\w+/, (variable) => positions.get(variable) ?? variable);
}
