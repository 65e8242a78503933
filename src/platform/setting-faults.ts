import type { z } from 'zod';

const nouns: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

/**
 * Says what a setting must be, in place of the sentences of zod, such as "Invalid input: expected
 * number, received NaN". A sentence of the setting itself takes precedence.
 */
export const settingErrors: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'must be set'
        : `must be ${nouns[issue.expected] ?? `of the type ${issue.expected}`}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_small':
      return `must ${boundOf(issue.origin)} at least ${issue.minimum}${units[issue.origin] ?? ''}`;
    case 'too_big':
      return `must ${boundOf(issue.origin)} at most ${issue.maximum}${units[issue.origin] ?? ''}`;
    default:
      return undefined;
  }
};

const boundOf = (origin: string): string => (units[origin] ? 'have' : 'be');

/**
 * Names that are no setting, each with the setting that is spelled almost alike: in small letters,
 * or with one letter too many, missing, replaced or swapped. Short names such as HOST are not
 * compared, because other programs have variables of their own that are as short.
 */
export function misspelledSettings(
  names: readonly string[],
  settingNames: readonly string[],
): { name: string; meant: string }[] {
  const known = new Set(settingNames);
  return names.flatMap((name) => {
    const meant = known.has(name)
      ? undefined
      : settingNames.find((setting) => isMisspelling(name, setting));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

const comparedLengthMin = 6;

function isMisspelling(name: string, setting: string): boolean {
  if (setting.length < comparedLengthMin || Math.abs(name.length - setting.length) > 1)
    return false;
  const upper = name.toUpperCase();
  let start = 0;
  while (start < upper.length && upper[start] === setting[start]) start += 1;
  const rest = upper.slice(start);
  const expected = setting.slice(start);
  return (
    rest === expected ||
    rest.slice(1) === expected ||
    rest === expected.slice(1) ||
    rest.slice(1) === expected.slice(1) ||
    (rest[0] === expected[1] && rest[1] === expected[0] && rest.slice(2) === expected.slice(2))
  );
}
