import { fileURLToPath } from 'node:url';
import type { Node, SourceFile, TypeNode } from 'typescript/unstable/ast';
import { isCallExpression, isTaggedTemplateExpression } from 'typescript/unstable/ast/is';
import { API, type Checker, type Project, type Type, TypeFlags } from 'typescript/unstable/sync';
import { noBindings, TemplateReader } from './template-reader.ts';

/** A type that a value of a column can have. `name` is the text of a literal or the item of a list. */
export type ValueType = {
  kind: 'string' | 'number' | 'boolean' | 'bytes' | 'list' | 'object' | 'null' | 'undefined';
  literal?: string;
  items?: readonly ValueType[];
};
export type ExpectedColumn = { name: string; types: readonly ValueType[] };
/** A statement of the program whose rows have a type. */
export type TypedStatement = {
  place: string;
  columns: readonly ExpectedColumn[];
  /** Undefined if a part of the statement is only known when it is executed. */
  text: string | undefined;
};

const folder = fileURLToPath(new URL('../../../', import.meta.url));

/** Reads every sql<Row>`…` of the program, and every changeRow and changeRows. */
export function typedStatements(): TypedStatement[] {
  const api = new API({ cwd: folder });
  try {
    const configFile = `${folder}tsconfig.json`;
    const project = api.updateSnapshot({ openProjects: [configFile] }).getProject(configFile);
    if (!project) throw new Error('tsconfig.json is not a project');
    const { program } = project;
    return program
      .getSourceFileNames()
      .filter((name) => name.startsWith(`${folder}src/`))
      .flatMap((name) => statementsIn(project, program.getSourceFile(name)));
  } finally {
    api.close();
  }
}

const tags = /^(.*\.)?(sql|searchSql|commitWith)$/;
const functions = /^changeRows?$/;

function statementsIn(project: Project, file: SourceFile | undefined): TypedStatement[] {
  if (!file || !/\b(sql|searchSql|commitWith|changeRows?)</.test(file.text)) return [];
  const { checker } = project;
  const reader = new TemplateReader(project);
  const statements: TypedStatement[] = [];
  const textOf = (node: Node) => file.text.slice(node.pos, node.end).trim();
  const add = (node: Node, rowNode: TypeNode | undefined, read: () => string) => {
    const row = rowNode && checker.getTypeFromTypeNode(rowNode);
    const columns = row ? columnsOf(row, checker) : [];
    // The rows of a generic function are those of its callers.
    if (columns.length === 0) return;
    const line = file.text.slice(0, node.end - node.getText().length).split('\n').length;
    const place = `${file.fileName.slice(folder.length)}:${line}`;
    statements.push({ place, columns, text: reader.tryRead(read) });
  };
  const visit = (node: Node): void => {
    if (isTaggedTemplateExpression(node) && tags.test(textOf(node.tag)))
      add(node, node.typeArguments?.[0], () => reader.templateText(node.template, noBindings));
    if (isCallExpression(node) && functions.test(textOf(node.expression)))
      add(node, node.typeArguments?.[0], () => reader.changeText(node.arguments));
    node.forEachChild(visit);
  };
  visit(file);
  return statements;
}

/** The columns of a type of rows; with several types of rows, a column has the types of all. */
function columnsOf(row: Type, checker: Checker): ExpectedColumn[] {
  const columns = new Map<string, ValueType[]>();
  const rows = row.isUnionType() ? row.getTypes() : [row];
  for (const one of rows)
    for (const property of checker.getPropertiesOfType(one)) {
      const type = checker.getTypeOfSymbol(property);
      const types = columns.get(property.name) ?? [];
      columns.set(property.name, types);
      if (type) types.push(...valueTypesOf(type, checker));
    }
  return [...columns].map(([name, types]) => ({
    name,
    // A row type that has only some of the columns stands for the missing side of a left join.
    types: rows.length > 1 ? [...types, { kind: 'null' }] : types,
  }));
}

function valueTypesOf(type: Type, checker: Checker): ValueType[] {
  if (type.isUnionType()) return type.getTypes().flatMap((one) => valueTypesOf(one, checker));
  if (type.isStringLiteralType()) return [{ kind: 'string', literal: type.value }];
  if (type.flags & TypeFlags.StringLike) return [{ kind: 'string' }];
  if (type.flags & TypeFlags.NumberLike) return [{ kind: 'number' }];
  if (type.flags & TypeFlags.BooleanLike) return [{ kind: 'boolean' }];
  if (type.flags & TypeFlags.Null) return [{ kind: 'null' }];
  if (type.flags & TypeFlags.Undefined) return [{ kind: 'undefined' }];
  if (!checker.isArrayType(type) || !type.isTypeReference())
    return [{ kind: /^Uint8Array\b/.test(checker.typeToString(type)) ? 'bytes' : 'object' }];
  const items = checker.getTypeArguments(type).flatMap((item) => valueTypesOf(item, checker));
  return [{ kind: 'list', items }];
}
