import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, it } from 'vitest';
import { printWithDirectives } from '../../../schema/print-with-directives.ts';
import { schema } from '../../../src/schema.ts';

type Input = { path: string; input: GraphQLArgument | GraphQLInputField };

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));

const inputs: Input[] = types.flatMap((type): Input[] => {
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((input) => ({
      path: `${type.name}.${input.name}`,
      input,
    }));
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) =>
    field.args.map((input) => ({ path: `${type.name}.${field.name}(${input.name})`, input })),
  );
});

const ownScalars = types.filter((type) => isScalarType(type) && !isSpecifiedScalarType(type));

it('Only formats have scalars of their own, and each names its specification', () => {
  expect(ownScalars.map(({ name }) => name).sort()).toEqual([
    'Date',
    'DateTime',
    'Decimal',
    'Download',
    'EmailAddress',
    'JSON',
    'PasskeyCreationOptions',
    'PasskeyRegistration',
    'SafeInt',
    'Upload',
  ]);
  for (const type of ownScalars)
    expect(isScalarType(type) && type.specifiedByURL).toMatch(/^https:\/\//);
});

it('Only open content has the type JSON', () => {
  const outputs = types.flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields()).map(({ name, type: field }) => ({
          path: `${type.name}.${name}`,
          typeName: getNamedType(field).name,
        }))
      : [],
  );
  const sent = inputs.map(({ path, input }) => ({ path, typeName: getNamedType(input.type).name }));
  const open = [...outputs, ...sent].filter(({ typeName }) => typeName === 'JSON');
  // Of tools, of schemas and their values, of fields of all types, and of an export that grows with the database.
  expect(open.map(({ path }) => path).toSorted()).toEqual([
    'AuditChange.before',
    'AuditChange.value',
    'ExportAccountPayload.data',
    'RunOutputInput.schema',
    'RunResult.output',
    'ToolCallEvent.input',
    'ToolCallInput.input',
    'ToolCallPart.input',
    'ToolOutputInput.errorJson',
    'ToolOutputInput.json',
  ]);
});

it('No query takes an input of which one field is sent: compiled queries do not check it', () => {
  const isOneOf = (type: GraphQLInputType, seen = new Set<string>()): boolean => {
    const named = getNamedType(type);
    if (!isInputObjectType(named) || seen.has(named.name)) return false;
    seen.add(named.name);
    return (
      named.isOneOf || Object.values(named.getFields()).some((field) => isOneOf(field.type, seen))
    );
  };
  const queries = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !['Mutation', 'Subscription'].includes(type.name))
    .flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()) : []));
  expect(queries.filter(({ args }) => args.some(({ type }) => isOneOf(type)))).toEqual([]);
  const run = schema.getMutationType()?.getFields()['runAssistant'];
  expect(run?.args.map(({ type }) => isOneOf(type))).toEqual([true]);
});

it('Every text, number and id that a client can send has a rule', () => {
  const bounded = new Set(['String', 'Int', 'Float', 'ID', 'Decimal', 'SafeInt']);
  const relevant = inputs.filter(({ input }) => bounded.has(getNamedType(input.type).name));
  expect(relevant.length).toBeGreaterThan(150);
  expect(relevant.filter(({ input }) => !input.extensions.rule).map(({ path }) => path)).toEqual(
    [],
  );
});

it('A rule accepts the value that it returns', () => {
  const samples = [
    '  a  ',
    ' Ada Lovelace ',
    1,
    3,
    0.5,
    ['A.Example', 'a.example'],
    ['a@B.example'],
  ];
  for (const { input } of inputs)
    for (const sample of samples) {
      const { rule } = input.extensions;
      let accepted: unknown;
      try {
        accepted = rule?.parse(sample);
      } catch {
        continue;
      }
      expect(rule?.parse(accepted)).toEqual(accepted);
    }
});

it('Every bound stands in the description and in the printed schema', () => {
  const printed = printWithDirectives(schema);
  expect(printed).toContain('durationMonths: Int! @range(min: 1, max: 6)');
  expect(printed).toContain('allowedEmails: [EmailAddress!] @items(max: 10000)');
  const bounded = inputs.filter(({ input }) => input.extensions.rule?.directive);
  expect(printed.match(/\S+: \S+(?: = \S+)? @(length|range|items)\(/g)?.length).toBe(
    bounded.length,
  );
  for (const { input } of bounded)
    expect(input.description).toContain(`Must be ${input.extensions.rule?.expectation}.`);
});

it('Amounts of money are decimals', () => {
  const amounts = types.flatMap((type) =>
    isObjectType(type) || isInputObjectType(type)
      ? Object.values(type.getFields())
          .filter(({ name }) => /amount|cost|price/i.test(name))
          .map((field) => `${type.name}.${field.name}: ${String(field.type).replaceAll(/\W/g, '')}`)
      : [],
  );
  expect(amounts.length).toBeGreaterThan(5);
  expect(amounts.filter((amount) => !amount.endsWith(': Decimal'))).toEqual([]);
});
