import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import type { Chance } from './chance.ts';
import { argumentFor, literal, oddArgument } from './graph-values.ts';
import type { LiveIds } from './live-ids.ts';

export type Operation = {
  kind: 'query' | 'mutation' | 'subscription';
  query: string;
  variables: Record<string, unknown>;
  file: string | undefined;
};

const sdl = buildSchema(
  readFileSync(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8'),
);
const depthMax = 4;

type Field = GraphQLField<unknown, unknown>;
type Writing = {
  chance: Chance;
  ids: LiveIds;
  oddShare: number;
  declared: string[];
  variables: Record<string, unknown>;
  fragments: string[];
  file?: string;
};

/** An operation of the schema, with values that their types admit but for so many of a hundred. */
export function operationFrom(chance: Chance, ids: LiveIds, oddShare: number): Operation {
  const kind = chance.percent(62) ? 'query' : chance.percent(94) ? 'mutation' : 'subscription';
  const root = {
    query: sdl.getQueryType(),
    mutation: sdl.getMutationType(),
    subscription: sdl.getSubscriptionType(),
  }[kind];
  if (!root) throw new Error(`the schema has no ${kind}`);
  const writing: Writing = { chance, ids, oddShare, declared: [], variables: {}, fragments: [] };
  const count = kind === 'query' && chance.percent(30) ? 2 + chance.below(2) : 1;
  const fields = Array.from(
    { length: count },
    (_, nth) =>
      `${count > 1 ? `r${nth}: ` : ''}${written(chance.pick(Object.values(root.getFields())), 1, writing)}`,
  );
  const head =
    writing.declared.length > 0
      ? `${kind} Asked(${writing.declared.join(', ')})`
      : chance.percent(50)
        ? `${kind} Asked`
        : kind;
  return {
    kind,
    query: [`${head} { ${fields.join(' ')} }`, ...writing.fragments].join('\n'),
    variables: writing.variables,
    file: writing.file,
  };
}

function written(field: Field, depth: number, writing: Writing): string {
  const given = field.args
    .filter((argument) => isNeeded(argument) || writing.chance.percent(40))
    .map((argument) => `${argument.name}: ${givenValue(argument, writing)}`);
  const directive = writing.chance.percent(5)
    ? ` @${writing.chance.pick(['include(if: true)', 'skip(if: false)'])}`
    : '';
  return `${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''}${directive}${selectionOf(field.type, depth, writing)}`;
}

const isNeeded = (argument: GraphQLArgument) =>
  isNonNullType(argument.type) && argument.defaultValue === undefined;

function givenValue({ name, type }: GraphQLArgument, writing: Writing): string {
  const { chance, ids, oddShare } = writing;
  const isFile = getNamedType(type).name === 'Upload';
  const value = chance.percent(oddShare)
    ? oddArgument(chance)
    : argumentFor(chance, name, type, ids);
  if (!isFile && chance.percent(50)) return literal(value);
  const variable = `v${writing.declared.length}`;
  writing.declared.push(`$${variable}: ${type}`);
  writing.variables[variable] = isFile ? (String(type).startsWith('[') ? [null] : null) : value;
  if (isFile)
    writing.file = String(type).startsWith('[')
      ? `variables.${variable}.0`
      : `variables.${variable}`;
  return `$${variable}`;
}

function selectionOf(type: GraphQLOutputType, depth: number, writing: Writing): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isUnionType(named))
    return ` { __typename ${named
      .getTypes()
      .map((one) => `... on ${one.name} ${fieldsOf(one, depth, writing)}`)
      .join(' ')} }`;
  return isObjectType(named) ? ` ${fieldsOf(named, depth, writing)}` : ' { __typename }';
}

function fieldsOf(type: GraphQLObjectType, depth: number, writing: Writing): string {
  const { chance } = writing;
  const all = Object.values(type.getFields());
  const possible =
    depth >= depthMax
      ? all.filter((field) => isLeafType(getNamedType(field.type)) && !field.args.some(isNeeded))
      : all;
  const count = Math.min(possible.length, 1 + chance.below(5));
  const picked = [...new Set(Array.from({ length: count }, () => chance.pick(possible)))];
  // Two of one type under one name must agree, so each that takes arguments has a name of its own.
  const texts = picked.map(
    (field) =>
      `${field.args.length > 0 ? `${field.name}${chance.below(1_000_000)}: ` : ''}${written(field, depth + 1, writing)}`,
  );
  const inner = ['__typename', ...texts].join(' ');
  if (chance.percent(10)) return `{ ... on ${type.name} { ${inner} } }`;
  if (!chance.percent(10)) return `{ ${inner} }`;
  const name = `F${writing.fragments.length}_${chance.below(1_000_000)}`;
  writing.fragments.push(`fragment ${name} on ${type.name} { ${inner} }`);
  return `{ ...${name} }`;
}
