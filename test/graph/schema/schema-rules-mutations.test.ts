import {
  type GraphQLField,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { errorReasonCatalogue } from '../../../src/platform/error-reasons.ts';
import { errorCatalogue, fieldErrorCatalogue } from '../../../src/platform/errors.ts';
import { schema } from '../../../src/schema.ts';

type SchemaField = GraphQLField<unknown, unknown>;
const fieldsOf = (typeName: string): SchemaField[] => {
  const type = schema.getType(typeName);
  return isObjectType(type) ? Object.values(type.getFields()) : [];
};
const mutations = fieldsOf('Mutation');
const typeNameOf = (mutation: SchemaField) =>
  mutation.name.charAt(0).toUpperCase() + mutation.name.slice(1);

/** The fields of a type with another field's type: one that answers a payload uses it alone. */
const fieldsThatAnswer = (typeName: string): string[] =>
  Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields())
          .filter((field) => getNamedType(field.type).name === typeName)
          .map((field) => `${type.name}.${field.name}`)
      : [],
  );

describe('mutations', () => {
  it('The schema has mutations', () => {
    expect(mutations.length).toBeGreaterThan(60);
  });

  it.each(mutations)('$name has one argument, input, of a type of its own', (mutation) => {
    const input = `${typeNameOf(mutation)}Input`;
    expect(mutation.args.map(({ name, type }) => `${name}: ${type}`)).toEqual([`input: ${input}!`]);
    expect(isInputObjectType(schema.getType(input))).toBe(true);
    const users = Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type)
        ? Object.values(type.getFields()).filter(({ args }) =>
            args.some((argument) => getNamedType(argument.type).name === input),
          )
        : [],
    );
    expect(users.map(({ name }) => name)).toEqual([mutation.name]);
  });

  it.each(mutations)('$name answers a payload of its own', (mutation) => {
    const payload = `${typeNameOf(mutation)}Payload`;
    expect(String(mutation.type)).toBe(payload);
    expect(fieldsThatAnswer(payload)).toEqual([`Mutation.${mutation.name}`]);
  });

  it.each(mutations)(
    'An object in the payload of $name can fail without hiding the rest of the payload',
    (mutation) => {
      const neverNull = fieldsOf(`${typeNameOf(mutation)}Payload`).filter(
        ({ type }) => isNonNullType(type) && !isLeafType(getNamedType(type)),
      );
      expect(neverNull.map(({ name }) => name)).toEqual([]);
    },
  );
});

describe('what a mutation answers', () => {
  /** Of these nothing remains to be answered, or the sender may not read it. */
  const withoutObjects = [
    ...['changePassword', 'confirmPassword', 'exportAccount', 'startPasskey'],
    ...['setApiKeyLimitMax', 'setOrganizationTerms'],
  ];
  const endsSomething = /^(decline|delete|leave|release|remove|revoke)[A-Z]/;

  it.each(mutations)('$name answers what it has changed, not only its id', ({ name, type }) => {
    const answered = fieldsOf(getNamedType(type).name).map((field) => getNamedType(field.type));
    const hasObject = answered.some((fieldType) => isObjectType(fieldType));
    expect(hasObject || endsSomething.test(name) || withoutObjects.includes(name)).toBe(true);
  });
});

describe('root fields', () => {
  it.each(
    ['Query', 'Mutation', 'Subscription'].flatMap((type) =>
      fieldsOf(type).map((field) => ({ name: `${type}.${field.name}`, field })),
    ),
  )('$name can fail without hiding the results of other root fields', ({ field }) => {
    expect(isNonNullType(field.type)).toBe(false);
  });
});

describe('the enums of errors', () => {
  it.each([
    ['ErrorCode', errorCatalogue],
    ['FieldErrorCode', fieldErrorCatalogue],
    ['ErrorReason', errorReasonCatalogue],
  ])('%s has exactly the names of the catalogue', (name, catalogue) => {
    const type = schema.getType(name);
    const names = isEnumType(type) ? type.getValues().map((value) => value.name) : [];
    expect(names.toSorted()).toEqual(Object.keys(catalogue).toSorted());
  });

  it('Every reason for which an offer cannot be redeemed is a reason of errors', () => {
    const type = schema.getType('RedemptionRefusal');
    const names = isEnumType(type) ? type.getValues().map((value) => value.name) : [];
    expect(names.length).toBeGreaterThan(0);
    expect(Object.keys(errorReasonCatalogue)).toEqual(expect.arrayContaining(names));
  });
});
