import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../../src/schema.ts';

type Described = { path: string; description: string };

/** Everything in a schema that has a description, with its path. */
const describedIn = (inspected: GraphQLSchema): Described[] =>
  Object.values(inspected.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .flatMap((type) => [entry(type.name, type), ...membersOf(type)]);

function membersOf(type: GraphQLNamedType): Described[] {
  if (isEnumType(type))
    return type.getValues().map((value) => entry(`${type.name}.${value.name}`, value));
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) =>
      entry(`${type.name}.${field.name}`, field),
    );
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => {
    const path = `${type.name}.${field.name}`;
    return [
      entry(path, field),
      ...field.args.map((argument) => entry(`${path}(${argument.name})`, argument)),
    ];
  });
}

const entry = (path: string, { description }: { description?: string | null | undefined }) => ({
  path,
  description: description ?? '',
});

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

const fillers = new Set(['a', 'an', 'the', 'of', 'this', 'its', 'is', 'are', 'in', 's', 'and']);

/** Whether the description has no word that the path does not have. */
const repeatsPath = ({ path, description }: Described): boolean => {
  const known = new Set(
    wordsOf(path).flatMap((word) => [word, `${word}s`, word.replace(/s$/, '')]),
  );
  return wordsOf(description).every((word) => fillers.has(word) || known.has(word));
};

const described = describedIn(schema);

it('Every type, field, argument, input field and enum value has a description', () => {
  expect(described.length).toBeGreaterThan(900);
  expect(described.filter(({ description }) => description === '').map(({ path }) => path)).toEqual(
    [],
  );
});

it('Every description is a sentence', () => {
  const sentence = /^[\p{Lu}“`].*[.`”]$/su;
  expect(described.filter(({ description }) => !sentence.test(description))).toEqual([]);
});

it('No description only repeats the name of what it describes', () => {
  // Of an id there is nothing to say but what it is the id of. The texts of errors are those of
  // REST, where they stand without the code.
  const isExempt = ({ path }: Described) =>
    /(\bid|Ids?)\)?$|^(ErrorCode|ErrorReason|RedemptionRefusal)\./.test(path);
  expect(described.filter((one) => !isExempt(one) && repeatsPath(one))).toEqual([]);
});
