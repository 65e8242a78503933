import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { schema } from '../../src/schema.ts';

/** An argument of a root field, or a field of its argument `input`. */
export type RootInput = Pick<
  GraphQLArgument | GraphQLInputField,
  'name' | 'type' | 'defaultValue' | 'extensions'
>;

export type RootField = {
  kind: 'query' | 'mutation' | 'subscription';
  name: string;
  field: GraphQLField<unknown, unknown>;
  inputs: readonly RootInput[];
};

const inputTypeOf = ({ args: [argument] }: GraphQLField<unknown, unknown>) => {
  const type = argument?.name === 'input' ? getNamedType(argument.type) : undefined;
  return isInputObjectType(type) ? type : undefined;
};

const inputsOf = (field: GraphQLField<unknown, unknown>): readonly RootInput[] => {
  const type = inputTypeOf(field);
  return type
    ? Object.values(type.getFields()).filter(({ name }) => name !== 'clientMutationId')
    : field.args;
};

/** All root fields of the schema. */
export const rootFields: readonly RootField[] = (
  [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const
).flatMap(([kind, type]) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({
    ...{ kind, name: field.name, field },
    inputs: inputsOf(field),
  })),
);

/** The literal for a nested argument; undefined omits it. */
type NestedArgument = (argument: GraphQLArgument) => string | undefined;

/** Selects all fields of a type that need no arguments, up to a depth. */
function selectionOf(type: GraphQLOutputType, depth: number, nested: NestedArgument): string {
  const named = getNamedType(type);
  if (isInterfaceType(named)) return leavesOf(named);
  if (isUnionType(named))
    return `{ __typename ${named
      .getTypes()
      .map((member) => `... on ${member.name} ${selectionOf(member, depth, nested)}`)
      .join(' ')} }`;
  if (!isObjectType(named)) return isCompositeType(named) ? '{ __typename }' : '';
  const fields = Object.values(named.getFields())
    .filter(
      (field) =>
        !field.args.some(
          (argument) => isNonNullType(argument.type) && argument.defaultValue === undefined,
        ),
    )
    .filter((field) => depth > 0 || !isCompositeType(getNamedType(field.type)))
    .map((field) => {
      const nestedArguments = field.args.flatMap((argument) => nested(argument) ?? []);
      return `${field.name}${nestedArguments.length > 0 ? `(${nestedArguments.join(', ')})` : ''} ${selectionOf(field.type, depth - 1, nested)}`;
    });
  return `{ __typename ${fields.join(' ')} }`;
}

/**
 * Selects the fields without subfields of all types of an interface. Two types may have a field of
 * the same name but of different types, which one query cannot select; then only the first is
 * selected.
 */
function leavesOf(type: GraphQLInterfaceType): string {
  const typeTexts = new Map<string, string>();
  const selections = schema.getPossibleTypes(type).map((member) => {
    const names = Object.values(member.getFields())
      .filter((field) => isLeafType(getNamedType(field.type)))
      .filter(({ name, type: fieldType }) => {
        const text = typeTexts.get(name) ?? String(fieldType);
        typeTexts.set(name, text);
        return text === String(fieldType);
      })
      .map(({ name }) => name);
    return `... on ${member.name} { ${names.join(' ')} }`;
  });
  return `{ __typename ${selections.join(' ')} }`;
}

/** The selection of an object of any type that implements Node. */
export function nodeSelection(): string {
  const node = schema.getType('Node');
  return isInterfaceType(node) ? leavesOf(node) : '';
}

/**
 * An operation with one root field and its complete selection; each input becomes a variable of the
 * same name.
 */
export function operationFor(
  { kind, name, field, inputs }: RootField,
  { depth = 2, nested = () => undefined }: { depth?: number; nested?: NestedArgument } = {},
): string {
  const declared = inputs
    .map((input) => `$${input.name}: ${input.type}${defaultOf(input)}`)
    .join(', ');
  const values = inputs.map((input) => `${input.name}: $${input.name}`).join(', ');
  const forwarded = inputTypeOf(field) ? `input: { ${values} }` : values;
  return `${kind} ${declared && `(${declared})`} { ${name}${forwarded && `(${forwarded})`} ${selectionOf(field.type, depth, nested)} }`;
}

const cursorArguments = ['first', 'after', 'last', 'before'];
const pageArguments = ['page', 'pageSize'];

/**
 * The arguments of a field that can be used together: a list is read either by pages or by
 * cursors.
 */
export function usableTogether(args: readonly RootInput[]): {
  byPage: RootInput[];
  byCursor: RootInput[];
} {
  const without = (names: readonly string[]) => args.filter(({ name }) => !names.includes(name));
  const isList = args.some(({ name }) => name === 'first');
  return isList
    ? {
        byPage: without(cursorArguments),
        byCursor: without([...pageArguments, 'after', 'last', 'before']),
      }
    : { byPage: [...args], byCursor: [...args] };
}

// An omitted variable must leave the input at its default.
const defaultOf = ({ defaultValue, type }: RootInput) =>
  defaultValue === undefined
    ? ''
    : ` = ${isEnumType(getNamedType(type)) ? defaultValue : JSON.stringify(defaultValue)}`;

const samples: Record<string, unknown> = {
  EmailAddress: 'sample@us.example',
  DateTime: '2030-01-01T00:00:00.000Z',
  Boolean: true,
  PasskeyRegistration: { id: 'a' },
  Int: 3,
  SafeInt: 1,
  Float: 1,
  Decimal: 1,
};
const samplesByName: Record<string, unknown> = {
  allowedEmailDomains: ['us.example'],
  start: 0,
  messages: [{ user: ['a'] }],
};

/** A valid value of the argument or input field; strings and ids are `text`. */
export function sampleOf({ name, type }: Pick<RootInput, 'name' | 'type'>, text: string): unknown {
  return samplesByName[name] ?? sampleOfType(type, text);
}

function sampleOfType(type: GraphQLInputType, text: string): unknown {
  if (isNonNullType(type)) return sampleOfType(type.ofType, text);
  if (isListType(type)) return [sampleOfType(type.ofType, text)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    return Object.fromEntries(
      fields
        .slice(0, type.isOneOf ? 1 : fields.length)
        .map((field) => [field.name, sampleOf(field, text)]),
    );
  }
  return samples[type.name] ?? text;
}
