/** The text of a form field as the GraphQL API expects it: an empty field is null. */
export function readText(data: FormData, name: string): string | null {
  const value = data.get(name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

export function readNumber(data: FormData, name: string): number | null {
  const text = readText(data, name);
  return text === null ? null : Number(text);
}

/**
 * A list with one entry per line. Commas and spaces also separate entries, because lists are often
 * pasted.
 */
export const readList = (data: FormData, name: string): string[] =>
  (readText(data, name) ?? '').split(/[\s,;]+/).filter(Boolean);

/** A time in UTC from a `datetime-local` field. */
export function readDateTime(data: FormData, name: string): string | null {
  const text = readText(data, name);
  return text === null ? null : new Date(`${text}Z`).toISOString();
}

/** The value of a `datetime-local` field, which has no seconds. */
export const toFieldValue = (at: string | null): string => at?.slice(0, 16) ?? '';
