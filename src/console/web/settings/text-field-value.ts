/** The text of a form field, without surrounding white space. Empty for a file field. */
export function textFieldValue(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
