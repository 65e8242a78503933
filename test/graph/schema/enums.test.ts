import { isEnumType } from 'graphql';
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
