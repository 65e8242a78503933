import {
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../../src/schema.ts';

it('every enum value equals the value that resolvers return, because compiled operations do not convert it', () => {
  const values = Object.values(schema.getTypeMap())
    .filter(isEnumType)
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) =>
      type.getValues().map(({ name, value }) => ({ path: `${type.name}.${name}`, name, value })),
    );
  expect(values.length).toBeGreaterThan(20);
  expect(values.filter(({ name, value }) => name !== value)).toEqual([]);
});

it('Every enum value is in upper case', () => {
  const values = Object.values(schema.getTypeMap())
    .filter(isEnumType)
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => type.getValues().map(({ name }) => `${type.name}.${name}`));
  expect(values.filter((path) => !/^\w+\.[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(path))).toEqual([]);
});

/** Fields that are strings although their names suggest an enum, with the reason. */
const openStrings: Readonly<Record<string, RegExp>> = {
  'the provider names its models':
    /^(Assistant|AssistantVersion|ConversationMessage|CreateAssistantInput|UpdateAssistantInput|Run|RunReceipt|RunResult|UsageRow)\.model$/,
  'the contract leaves model and unit of a price open': /^Pricing(Input)?\.(model|unit)$/,
  'new versions add values':
    /^(AuditEntry|SealedAuditEntry|Query\.auditEntries)\.(action|targetType)$|^EventData\.resourceType$/,
  'a code that an app shows': /^ConfirmAuthenticatorAppInput\.code$/,
  'a media type': /\.mimeType$/,
  'a text of a person': /\.(reason|extensionReason)$/,
};

const valueAt =
  (owner: string) =>
  ({ name, type }: { name: string; type: GraphQLType }) => ({
    path: `${owner}.${name}`,
    typeName: getNamedType(type).name,
  });

it('A closed set of values is an enum, not a string', () => {
  const names =
    /(action|code|kind|level|mode|model|policy|reason|role|stage|state|status|type|unit|derivation|derived)s?$/i;
  const strings = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isInputObjectType(type)) return Object.values(type.getFields()).map(valueAt(type.name));
    if (!isObjectType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) => [
      valueAt(type.name)(field),
      ...field.args.map(valueAt(`${type.name}.${field.name}`)),
    ]);
  });
  const closed = strings.filter(
    ({ path, typeName }) =>
      typeName === 'String' &&
      !path.startsWith('__') &&
      names.test(path) &&
      !/recoveryCodes$/.test(path) &&
      !Object.values(openStrings).some((known) => known.test(path)),
  );
  expect(closed.map(({ path }) => path)).toEqual([]);
});
