import { afterAll, describe, expect, it } from 'vitest';
import { createOutputChecker } from '../../../../src/modules/runs/output/check-output.ts';
import {
  type OutputSchema,
  requireOutputSchema,
} from '../../../../src/modules/runs/output/output-schema.ts';

const warnings: string[] = [];
const checker = createOutputChecker({ warn: (_, message) => warnings.push(message) });
afterAll(() => checker.close());

const check = (schema: unknown, value: unknown) => {
  requireOutputSchema(schema);
  return checker.check({ schema, value, owner: 'o', signal: new AbortController().signal });
};

describe('The check of an output', () => {
  it.each<[OutputSchema, unknown]>([
    [{ type: 'integer', minimum: 1 }, 3],
    [{ type: ['string', 'null'] }, null],
    [{ enum: ['a', 'b'] }, 'b'],
    [
      { properties: { n: { $ref: '#' } }, required: ['id'] },
      { id: 1, n: { id: 2 } },
    ],
    [{ anyOf: [{ const: 1 }, { const: 2 }] }, 2],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a']],
    [{ type: 'string', format: 'email' }, 'ada@example.com'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, JSON.parse('{"__proto__":1}')],
  ])('%j accepts %j', async (schema, value) => {
    expect(await check(schema, value)).toEqual([]);
  });

  it('The faults of a value name the place and what is wrong there', async () => {
    const schema = {
      type: 'object',
      properties: { name: { type: 'string', minLength: 3 }, ages: { items: { type: 'integer' } } },
      required: ['name', 'city'],
      additionalProperties: false,
    };
    expect(await check(schema, { name: 'a', ages: [1, 'two'], extra: true })).toEqual([
      '#: Instance does not have required property "city".',
      '#/name: String is too short (1 < 3).',
      '#/ages/1: Instance type "string" is invalid. Expected "integer".',
      '#: Property "extra" does not match additional properties schema.',
    ]);
  });

  it('At most ten faults are named, and each is short', async () => {
    const faults = await check(
      { items: { enum: ['x'.repeat(1_000)] } },
      Array.from({ length: 1_000 }, (_, index) => index),
    );
    expect(faults).toHaveLength(10);
    expect(Math.max(...faults.map(({ length }) => length))).toBeLessThanOrEqual(300);
  });

  it.each<[string, OutputSchema, unknown]>([
    ['a regular expression that backtracks', { pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`],
    [
      'references that double',
      {
        $defs: Object.fromEntries(
          Array.from({ length: 40 }, (_, index) => [
            `d${index}`,
            index === 39
              ? {}
              : { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
          ]),
        ),
        $ref: '#/$defs/d0',
      },
      1,
    ],
  ])(
    'A schema with %s fails its run, and other work goes on meanwhile',
    async (_, schema, value) => {
      let turns = 0;
      const timer = setInterval(() => (turns += 1), 10);
      const slow = check(schema, value);
      expect(await check({ type: 'number' }, 1)).toEqual([]);
      await expect(slow).rejects.toMatchObject({
        code: 'OUTPUT_INVALID',
        message: expect.stringContaining('use a simpler schema'),
      });
      clearInterval(timer);
      expect(turns).toBeGreaterThan(20);
      expect(await check({ type: 'number' }, 'one')).toHaveLength(1);
    },
  );
});
