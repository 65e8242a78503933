/** What a form holds, as the graph takes it. An empty field is null. */
export function textFieldValue(data: FormData, name: string): string | null {
  const value = data.get(name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

export function numberIn(data: FormData, name: string): number | null {
  const text = textFieldValue(data, name);
  return text === null ? null : Number(text);
}

/** One entry a line; commas and blanks separate as well, for what is pasted from elsewhere. */
export const listIn = (data: FormData, name: string): string[] =>
  (textFieldValue(data, name) ?? '').split(/[\s,;]+/).filter(Boolean);

/** A moment that was typed in UTC, as `datetime-local` gives it. */
export function momentIn(data: FormData, name: string): string | null {
  const text = textFieldValue(data, name);
  return text === null ? null : new Date(`${text}Z`).toISOString();
}

/** The same the other way round: minutes are as fine as the field shows. */
export const momentForField = (at: string | null): string => at?.slice(0, 16) ?? '';
