import { globSync, readFileSync } from 'node:fs';
import {
  type DocumentNode,
  getNamedType,
  getNullableType,
  isObjectType,
  Kind,
  NoDeprecatedCustomRule,
  parse,
  specifiedRules,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../../src/schema.ts';

type LintedDocument = { name: string; document: DocumentNode };

const textOf = (file: string) => readFileSync(file, 'utf8');
const shared = textOf('schema/operations/fragments.graphql');

/** The operations of REST, each with the fragments that they share, and the folders of the console. */
const documents: LintedDocument[] = [
  ...globSync('schema/operations/*/*.graphql').map((file) => ({
    name: file,
    document: usedOf(parse(`${textOf(file)}\n${shared}`)),
  })),
  ...consoleFolders().map((folder) => ({
    name: folder,
    document: parse(globSync(`${folder}/*.graphql`).map(textOf).join('\n')),
  })),
];

function consoleFolders(): string[] {
  const files = globSync('src/console/web/**/*.graphql');
  return [...new Set(files.map((file) => file.replace(/\/[^/]+$/, '')))].toSorted();
}

/** The document without the fragments that it does not use. */
function usedOf(document: DocumentNode): DocumentNode {
  const used = new Set<string>();
  const collect = (node: DocumentNode['definitions'][number]): unknown =>
    visit(node, {
      FragmentSpread: ({ name }) => {
        if (used.has(name.value)) return;
        used.add(name.value);
        for (const other of document.definitions)
          if (other.kind === Kind.FRAGMENT_DEFINITION && other.name.value === name.value)
            collect(other);
      },
    });
  for (const node of document.definitions)
    if (node.kind === Kind.OPERATION_DEFINITION) collect(node);
  return {
    ...document,
    definitions: document.definitions.filter(
      (node) => node.kind !== Kind.FRAGMENT_DEFINITION || used.has(node.name.value),
    ),
  };
}

/** Every selected field, with its type and its arguments. */
const fieldsIn = (document: DocumentNode) => {
  const types = new TypeInfo(schema);
  const found: { path: string; typeName: string; args: string[]; selected: string[] }[] = [];
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: ({ name, arguments: args = [], selectionSet }) => {
        found.push({
          path: `${types.getParentType()?.name}.${name.value}`,
          typeName: getNamedType(types.getType())?.name ?? '',
          args: args.map((argument) => argument.name.value),
          selected: (selectionSet?.selections ?? []).flatMap((node) =>
            node.kind === Kind.FIELD ? [node.name.value] : [],
          ),
        });
      },
    }),
  );
  return found;
};

const isConnection = (typeName: string): boolean => {
  const type = getNullableType(schema.getType(typeName));
  return isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Connection');
};

it('The documents of REST and of the console are found', () => {
  expect(documents.filter(({ name }) => name.startsWith('schema/')).length).toBeGreaterThan(35);
  expect(documents.filter(({ name }) => name.startsWith('src/console')).length).toBeGreaterThan(8);
});

describe.each(documents)('$name', ({ document }) => {
  it('is valid, and uses nothing that is deprecated', () => {
    const faults = validate(schema, document, [...specifiedRules, NoDeprecatedCustomRule]);
    expect(faults.map(({ message }) => message)).toEqual([]);
  });

  it('reads lists as connections: their nodes or edges, or only their total', () => {
    const lists = fieldsIn(document).filter(({ typeName }) => isConnection(typeName));
    const others = lists.filter(
      ({ selected }) => !['nodes', 'edges', 'totalCount'].some((name) => selected.includes(name)),
    );
    expect(others).toEqual([]);
  });

  it('passes to a mutation its input, and reads more of the payload than clientMutationId', () => {
    const mutations = fieldsIn(document).filter(({ path }) => path.startsWith('Mutation.'));
    expect(mutations.filter(({ args }) => args.join() !== 'input')).toEqual([]);
    expect(mutations.filter(({ selected }) => selected.length === 0)).toEqual([]);
  });

  it('names every operation', () => {
    const operations = document.definitions.filter(
      (node) => node.kind === Kind.OPERATION_DEFINITION,
    );
    expect(operations.filter(({ name }) => name === undefined)).toEqual([]);
  });
});
