import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { schema } from '../../../src/schema.ts';
import { argumentFor, literal, oddArgument } from './graph-values.ts';
import type { LiveIds } from './live-ids.ts';
import type { SeededRandom } from './seeded-random.ts';

export type GeneratedOperation = {
  kind: 'query' | 'mutation' | 'subscription';
  query: string;
  variables: Record<string, unknown>;
  file: string | undefined;
};

const depthMax = 4;

type SchemaField = GraphQLField<unknown, unknown>;
type OperationDraft = {
  random: SeededRandom;
  ids: LiveIds;
  oddShare: number;
  declarations: string[];
  variables: Record<string, unknown>;
  fragments: string[];
  file?: string;
};

/** A random operation of the schema; `oddShare` percent of its values are invalid. */
export function operationFrom(
  random: SeededRandom,
  ids: LiveIds,
  oddShare: number,
): GeneratedOperation {
  const kind = random.percent(62) ? 'query' : random.percent(94) ? 'mutation' : 'subscription';
  const root = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  }[kind];
  if (!root) throw new Error(`the schema has no ${kind}`);
  const draft: OperationDraft = {
    random,
    ids,
    oddShare,
    declarations: [],
    variables: {},
    fragments: [],
  };
  const count = kind === 'query' && random.percent(30) ? 2 + random.below(2) : 1;
  const fields = Array.from(
    { length: count },
    (_, index) =>
      `${count > 1 ? `r${index}: ` : ''}${writeField(random.pick(Object.values(root.getFields())), 1, draft)}`,
  );
  const head =
    draft.declarations.length > 0
      ? `${kind} Fuzz(${draft.declarations.join(', ')})`
      : random.percent(50)
        ? `${kind} Fuzz`
        : kind;
  return {
    kind,
    query: [`${head} { ${fields.join(' ')} }`, ...draft.fragments].join('\n'),
    variables: draft.variables,
    file: draft.file,
  };
}

function writeField(field: SchemaField, depth: number, draft: OperationDraft): string {
  const argumentTexts = field.args
    .filter((argument) => isNeeded(argument) || draft.random.percent(40))
    .map((argument) => `${argument.name}: ${argumentValue(argument, draft)}`);
  const directive = draft.random.percent(5)
    ? ` @${draft.random.pick(['include(if: true)', 'skip(if: false)'])}`
    : '';
  return `${field.name}${argumentTexts.length > 0 ? `(${argumentTexts.join(', ')})` : ''}${directive}${selectionOf(field.type, depth, draft)}`;
}

const isNeeded = (argument: GraphQLArgument | GraphQLInputField) =>
  isNonNullType(argument.type) && argument.defaultValue === undefined;

// A file needs a variable of its own, so its input object is written field by field.
const isUpload = ({ type }: GraphQLArgument | GraphQLInputField) =>
  getNamedType(type).name === 'Upload';

function argumentValue(
  argument: GraphQLArgument | GraphQLInputField,
  draft: OperationDraft,
): string {
  const { name, type } = argument;
  const { random, ids, oddShare } = draft;
  const inputType = getNamedType(type);
  if (
    name === 'input' &&
    isInputObjectType(inputType) &&
    (Object.values(inputType.getFields()).some(isUpload) || random.percent(80))
  )
    return `{ ${Object.values(inputType.getFields())
      .filter((field) => isNeeded(field) || random.percent(40))
      .map((field) => `${field.name}: ${argumentValue(field, draft)}`)
      .join(', ')} }`;
  const isFile = isUpload(argument);
  const value = random.percent(oddShare) ? oddArgument(random) : argumentFor(random, argument, ids);
  if (!isFile && random.percent(50)) return literal(value);
  const variable = `v${draft.declarations.length}`;
  draft.declarations.push(`$${variable}: ${type}`);
  draft.variables[variable] = isFile ? (String(type).startsWith('[') ? [null] : null) : value;
  if (isFile)
    draft.file = String(type).startsWith('[') ? `variables.${variable}.0` : `variables.${variable}`;
  return `$${variable}`;
}

function selectionOf(type: GraphQLOutputType, depth: number, draft: OperationDraft): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isUnionType(named))
    return ` { __typename ${named
      .getTypes()
      .map((memberType) => `... on ${memberType.name} ${fieldsOf(memberType, depth, draft)}`)
      .join(' ')} }`;
  return isObjectType(named) ? ` ${fieldsOf(named, depth, draft)}` : ' { __typename }';
}

function fieldsOf(type: GraphQLObjectType, depth: number, draft: OperationDraft): string {
  const { random } = draft;
  const all = Object.values(type.getFields());
  const possible =
    depth >= depthMax
      ? all.filter((field) => isLeafType(getNamedType(field.type)) && !field.args.some(isNeeded))
      : all;
  const count = Math.min(possible.length, 1 + random.below(5));
  const picked = [...new Set(Array.from({ length: count }, () => random.pick(possible)))];
  // Two fields with one response name must have equal arguments, so fields with arguments get an
  // alias.
  const texts = picked.map(
    (field) =>
      `${field.args.length > 0 ? `${field.name}${random.below(1_000_000)}: ` : ''}${writeField(field, depth + 1, draft)}`,
  );
  const inner = ['__typename', ...texts].join(' ');
  if (random.percent(10)) return `{ ... on ${type.name} { ${inner} } }`;
  if (!random.percent(10)) return `{ ${inner} }`;
  const name = `F${draft.fragments.length}_${random.below(1_000_000)}`;
  draft.fragments.push(`fragment ${name} on ${type.name} { ${inner} }`);
  return `{ ...${name} }`;
}
