import type { JsonSchema, OpenApiDocument } from '../openapi/document.ts';

/** Converts an operation id to words: `ListTeamUsers` becomes "List team users". */
export const toWords = (name: string): string =>
  name.charAt(0).toUpperCase() +
  name.slice(1).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Returns the name of the schema to which a reference refers. */
export const objectName = (schema: JsonSchema): string | undefined =>
  schema.$ref?.replace('#/components/schemas/', '');

/** Returns the schema to which a reference refers, or the schema itself. */
export const resolveSchema = (schema: JsonSchema, { components }: OpenApiDocument): JsonSchema =>
  components.schemas[objectName(schema) ?? ''] ?? schema;

/** Returns the schema without the alternative null. */
export const withoutNull = (schema: JsonSchema): JsonSchema =>
  schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;

export const isNullable = (schema: JsonSchema): boolean =>
  [schema.type].flat().includes('null') || schema.anyOf !== undefined;

/** The constraints of a value in words: its format, its bounds, its default. */
export function boundsOf(schema: JsonSchema): string[] {
  const {
    format,
    enum: choices,
    const: constant,
    default: defaultValue,
    minLength,
    maxLength,
    minimum,
    maximum,
  } = schema;
  const forms: Record<string, string> = {
    'date-time': 'ISO 8601 date-time',
    email: 'e-mail address',
  };
  return [
    constant === undefined ? undefined : `always ${JSON.stringify(constant)}`,
    choices && `one of ${choices.join(', ')}`,
    forms[format ?? ''],
    range(minLength || undefined, maxLength, ' characters'),
    range(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    defaultValue === undefined ? undefined : `default ${JSON.stringify(defaultValue)}`,
  ].filter((words) => words !== undefined);
}

function range(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`;
  if (min !== undefined) return `at least ${min}${unit}`;
  return max === undefined ? undefined : `at most ${max}${unit}`;
}
