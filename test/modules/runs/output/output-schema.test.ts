import { describe, expect, it } from 'vitest';
import {
  requireOutputSchema,
  schemaLimits,
} from '../../../../src/modules/runs/output/output-schema.ts';
import { InputFault } from '../../../../src/platform/input-fault.ts';

function faultOf(schema: unknown): { code: string; subpath: string } | undefined {
  try {
    requireOutputSchema(schema);
    return undefined;
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    return { code: error.code, subpath: error.subpath };
  }
}

const nested = (levels: number): unknown => (levels === 0 ? {} : { not: nested(levels - 1) });

const refused: [schema: unknown, code: string, subpath: string][] = [
  ['object', 'WRONG_TYPE', ''],
  [null, 'NOT_NULLABLE', ''],
  [[], 'WRONG_TYPE', ''],
  [nested(schemaLimits.levels), 'INVALID', ''],
  [{ description: 'x'.repeat(schemaLimits.bytes) }, 'TOO_LONG', ''],
  [{ allOf: [{ a: 1 }] }, 'UNKNOWN_FIELD', '.allOf[0].a'],
  [{ allOf: Array.from({ length: schemaLimits.keywords }, () => ({ not: {} })) }, 'TOO_LONG', ''],
  [{ type: 'text' }, 'UNKNOWN_VALUE', '.type'],
  [{ properties: { a: { minLength: -1 } } }, 'OUT_OF_RANGE', '.properties.a.minLength'],
  [{ properties: [] }, 'WRONG_TYPE', '.properties'],
  [{ items: [{}] }, 'WRONG_TYPE', '.items'],
  [{ multipleOf: 0 }, 'OUT_OF_RANGE', '.multipleOf'],
  [{ required: [1] }, 'WRONG_TYPE', '.required'],
  [{ pattern: '(' }, 'INVALID_FORMAT', '.pattern'],
  [{ pattern: 'a'.repeat(501) }, 'TOO_LONG', '.pattern'],
  [{ patternProperties: { '[': {} } }, 'INVALID_FORMAT', '.patternProperties'],
  [{ $schema: 'https://example.com/schema' }, 'UNKNOWN_VALUE', '.$schema'],
  [{ $id: 'https://example.com/schema' }, 'UNKNOWN_FIELD', '.$id'],
  [{ $dynamicRef: '#a' }, 'UNKNOWN_FIELD', '.$dynamicRef'],
  [{ $ref: 'https://example.com/schema' }, 'INVALID', '.$ref'],
  [{ $ref: 'file:///etc/passwd' }, 'INVALID', '.$ref'],
  [{ $ref: '#/$defs/missing' }, 'INVALID', '.$ref'],
  [{ $ref: '#/%' }, 'INVALID_FORMAT', '.$ref'],
  [{ const: { a: 1 }, not: { $ref: '#/const' } }, 'INVALID', '.not.$ref'],
  [{ $ref: '#' }, 'INVALID', ''],
  [{ $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } }, 'INVALID', ''],
];

describe('The schema of an output', () => {
  it.each([
    [true],
    [{}],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', definitions: { a: {} } }],
    [
      {
        type: 'object',
        properties: {
          name: { type: 'string', pattern: '^a+$' },
          tags: { type: ['array', 'null'] },
        },
        required: ['name'],
        additionalProperties: false,
      },
    ],
    [{ $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } }, $ref: '#/$defs/node' }],
    [{ properties: { 'a/b~c': {}, d: { $ref: '#/properties/a~1b~0c' } } }],
    [{ items: { $ref: '#' }, required: [] }],
    [nested(schemaLimits.levels - 1)],
  ])('%j is accepted', (schema) => {
    expect(faultOf(schema)).toBeUndefined();
  });

  it.each(refused.map(([schema, code, subpath]) => ({ schema, code, subpath })))(
    'A schema is refused with $code at "$subpath"',
    ({ schema, code, subpath }) => {
      expect(faultOf(schema)).toEqual({ code, subpath });
    },
  );
});
