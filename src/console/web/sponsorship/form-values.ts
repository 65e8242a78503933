import { fieldText } from '../ui/form.tsx';

/** The text of a form field as the GraphQL API expects it: an empty field is null. */
export const readText = (data: FormData, name: string): string | null =>
  fieldText(data, name) || null;

/** A password keeps its white space; an empty one is null. */
export const readPassword = (data: FormData): string | null =>
  String(data.get('password') ?? '') || null;

/**
 * A list with one entry per line. Commas and spaces also separate entries, because lists are often
 * pasted.
 */
export const readList = (data: FormData, name: string): string[] =>
  fieldText(data, name)
    .split(/[\s,;]+/)
    .filter(Boolean);

/** A time in UTC from a `datetime-local` field. */
export function readDateTime(data: FormData, name: string): string | null {
  const text = fieldText(data, name);
  return text === '' ? null : new Date(`${text}Z`).toISOString();
}

/** The value of a `datetime-local` field, which has no seconds. */
export const toFieldValue = (at: string | null): string => at?.slice(0, 16) ?? '';
