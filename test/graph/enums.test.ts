import { isEnumType } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/schema.ts';

it('every value of an enum is called what resolvers return for it, for compiled operations write it as it is', () => {
  const values = Object.values(schema.getTypeMap())
    .filter(isEnumType)
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) =>
      type.getValues().map(({ name, value }) => ({ place: `${type.name}.${name}`, name, value })),
    );
  expect(values.length).toBeGreaterThan(20);
  expect(values.filter(({ name, value }) => name !== value)).toEqual([]);
});
