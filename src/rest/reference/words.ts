import type { Schema } from '../openapi/document.ts';

/** `ListTeamUsers` as people write it: "List team users". */
export const spaced = (name: string): string =>
  name.charAt(0).toUpperCase() +
  name.slice(1).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The schema that a reference names, and the rest as it is. */
export const objectName = (schema: Schema): string | undefined =>
  schema.$ref?.replace('#/components/schemas/', '');

/** What null is an alternative to. */
export const withoutNull = (schema: Schema): Schema =>
  schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;

export const isNullable = (schema: Schema): boolean =>
  [schema.type].flat().includes('null') || schema.anyOf !== undefined;

/** What a value may be besides its type, in words: its form, its bounds, its default. */
export function boundsOf(schema: Schema): string[] {
  const {
    format,
    enum: choices,
    const: constant,
    default: usual,
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
    usual === undefined ? undefined : `default ${JSON.stringify(usual)}`,
  ].filter((words) => words !== undefined);
}

function range(
  least: number | undefined,
  most: number | undefined,
  unit: string,
): string | undefined {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${unit}`;
  return most === undefined ? undefined : `at most ${most}${unit}`;
}
