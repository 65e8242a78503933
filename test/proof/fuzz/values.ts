import fc from 'fast-check';
import type { Schema } from '../../../src/rest/openapi/document.ts';

/**
 * Names for what a schema says only in words: values by the name of the property that holds them.
 */
type InWords = Readonly<Record<string, fc.Arbitrary<unknown>>>;

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

/** Text that people might write: no control characters, no blanks around it, so long at most. */
const textOf = ({ minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> =>
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
// Two seconds before year 1 and behind year 9999 nothing is promised.
const times = fc
  .date({
    min: new Date('2000-01-01T00:00:00Z'),
    max: new Date('2099-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());

/** Values that a schema admits, biased towards its bounds. */
export function valuesOf(schema: Schema, inWords: InWords = {}): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valuesOf(one, inWords)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom<unknown>(...schema.enum);
  const types = [schema.type].flat();
  return fc.oneof(...types.map((type) => valuesOfType(type, schema, inWords)));
}

function valuesOfType(
  type: string | undefined,
  schema: Schema,
  inWords: InWords,
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
      return fc.array(valuesOf(schema.items ?? {}, inWords), {
        minLength: (schema as { minItems?: number }).minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, property]) => [
            name,
            inWords[name] ?? valuesOf(property, inWords),
          ]),
        ),
        { requiredKeys: schema.required ?? [], noNullPrototype: true },
      );
    case 'string':
      if (schema.format === 'email') return emails;
      if (schema.format === 'date-time') return times;
      if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern, 'u'));
      return textOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

const part = fc.record({ type: fc.constant('text'), text: textOf({}) }, { noNullPrototype: true });
const said = fc.record(
  { role: fc.constantFrom('user', 'system'), content: textOf({ minLength: 1 }) },
  { noNullPrototype: true },
);
const answered = fc.record(
  {
    role: fc.constant('assistant'),
    content: fc.oneof(textOf({ minLength: 1 }), fc.array(part, { minLength: 1, maxLength: 3 })),
  },
  { noNullPrototype: true },
);

/** A conversation that somebody can answer: its last word is the person's. */
export const conversations = fc
  .tuple(
    fc.array(fc.oneof(said, answered), { maxLength: 4 }),
    textOf({ minLength: 1, maxLength: 200 }),
  )
  .map(([before, question]) => [...before, { role: 'user', content: question }]);

export const hostLists = fc.array(fc.constantFrom(...hosts, 'BÜCHER.example'), { maxLength: 4 });

const deep = (levels: number, open: string, close: string) =>
  JSON.parse(`${open.repeat(levels)}0${close.repeat(levels)}`);

/** What no field of ours asks for, as JSON can say it; more stands in the odd texts of a body. */
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
  deep(500, '[', ']'),
  deep(500, '{"a":', '}'),
];
