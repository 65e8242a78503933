import fc from 'fast-check';
import type { JsonSchema } from '../../../src/rest/openapi/document.ts';

/** Values for properties whose rules a JSON schema cannot express, by the name of the property. */
type ValuesByProperty = Readonly<Record<string, fc.Arbitrary<unknown>>>;

const words = [
  'Ada',
  'Größe',
  '東京',
  'Ωμέγα',
  'שלום',
  'مرحبا',
  '👩‍👩‍👧',
  '😀',
  'e\u0301',
  'naïve',
  "O'Hara",
  '"quoted"',
  '\\',
  '%',
  '_',
  '<b>',
  '{{x}}',
  '$1',
  '--',
  'NULL',
  '0',
];
const letter = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...'abcXYZ09 äß') },
  { weight: 1, arbitrary: fc.constantFrom(...words) },
);

/** Text that people might write, without control characters and without surrounding blanks. */
const textOf = ({ minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> =>
  fc
    .oneof(
      {
        weight: 9,
        arbitrary: fc.array(letter, {
          minLength,
          maxLength: Math.max(minLength, Math.min(maxLength, 12)),
        }),
      },
      { weight: 1, arbitrary: fc.constant(['x'.repeat(Math.min(maxLength, 3_000))]) },
    )
    .map((letters) => [...letters.join('').trim()].slice(0, maxLength).join('').trim())
    .map((text) =>
      ([...text].length < minLength ? 'name'.repeat(minLength) : text).slice(0, 4 * maxLength),
    );

const hosts = ['example.com', 'mail.example.org', 'xn--bcher-kva.example', 'students.example'];
const emails = fc
  .tuple(fc.stringMatching(/^[a-z]{1,8}[0-9]{6}$/), fc.constantFrom(...hosts))
  .map(([name, host]) => `${name}@${host}`);
// Dates between 2000 and 2099; the contract says nothing about years before 1 or after 9999.
const days = fc.constantFrom('2026-01-01', '2026-02-28', '2026-11-23', '2026-12-31');
const times = fc
  .date({
    min: new Date('2000-01-01T00:00:00Z'),
    max: new Date('2099-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());

/** Values that a schema allows, often at its bounds. */
export function valuesOf(
  schema: JsonSchema,
  byProperty: ValuesByProperty = {},
): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => valuesOf(option, byProperty)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom<unknown>(...schema.enum);
  const types = [schema.type].flat();
  return fc.oneof(...types.map((type) => valuesOfType(type, schema, byProperty)));
}

function valuesOfType(
  type: string | undefined,
  schema: JsonSchema,
  byProperty: ValuesByProperty,
): fc.Arbitrary<unknown> {
  const { minimum = -(2 ** 31), maximum = 2 ** 31 } = schema;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(
        fc.constantFrom(minimum, maximum),
        fc.integer({ min: minimum, max: Math.min(maximum, minimum + 50) }),
      );
    case 'number':
      return fc.oneof(
        fc.constantFrom(minimum, maximum),
        fc.double({ min: minimum, max: maximum, noNaN: true }),
      );
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, byProperty), {
        minLength: (schema as { minItems?: number }).minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, property]) => [
            name,
            byProperty[name] ?? valuesOf(property, byProperty),
          ]),
        ),
        { requiredKeys: schema.required ?? [], noNullPrototype: true },
      );
    case 'string':
      if (schema.format === 'email') return emails;
      if (schema.format === 'date-time') return times;
      if (schema.format === 'date') return days;
      if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern, 'u'));
      return textOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

const textPart = fc.record(
  { type: fc.constant('text'), text: textOf({}) },
  { noNullPrototype: true },
);
const userMessage = fc.record(
  { role: fc.constantFrom('user', 'system'), content: textOf({ minLength: 1 }) },
  { noNullPrototype: true },
);
const assistantMessage = fc.record(
  {
    role: fc.constant('assistant'),
    content: fc.oneof(textOf({ minLength: 1 }), fc.array(textPart, { minLength: 1, maxLength: 3 })),
  },
  { noNullPrototype: true },
);

/** A conversation that ends with a message of the user. */
export const validConversations = fc
  .tuple(
    fc.array(fc.oneof(userMessage, assistantMessage), { maxLength: 4 }),
    textOf({ minLength: 1, maxLength: 200 }),
  )
  .map(([before, question]) => [...before, { role: 'user', content: question }]);

export const hostLists = fc.array(fc.constantFrom(...hosts, 'BÜCHER.example'), { maxLength: 4 });

const nested = (levels: number, open: string, close: string) =>
  JSON.parse(`${open.repeat(levels)}0${close.repeat(levels)}`);

/** JSON values that no field accepts. Invalid JSON is in `oddJson`. */
export const oddValues: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  0,
  -0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  1e308,
  5e-324,
  [],
  {},
  [[]],
  [null],
  'NaN',
  '0x10',
  'a\0b',
  '\ud800',
  'x\udfffy',
  '\u202eabc',
  '\ufeff',
  '\u0007',
  '\u2028',
  'a\r\nSet-Cookie: x=y',
  "' OR 1=1; --",
  '{{7*7}}',
  '../../../../etc/x',
  '%00',
  'x'.repeat(201),
  '😀'.repeat(5_000),
  'é'.repeat(100_000),
  '9999-99-99T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  'a@b',
  '@',
  'a@[127.0.0.1]',
  `${'a'.repeat(250)}@example.com`,
  'a@xn--a.example',
  'ａ@ｅｘａｍｐｌｅ.com',
  { __proto__: null, toString: 1, constructor: { prototype: 1 } },
  { equals: 1, not: null, contains: 'x' },
  { $ne: null },
  Array.from({ length: 10_001 }, (_, index) => index),
  Array.from({ length: 1_001 }, () => ({ role: 'user', content: 'x' })),
  nested(500, '[', ']'),
  nested(500, '{"a":', '}'),
];
