/** For how long a key can be made; `day` asks for a last day of one's own. */
export const expiryOptions = [
  { value: '90', label: '90 days' },
  { value: '30', label: '30 days' },
  { value: '365', label: 'One year' },
  { value: 'day', label: 'Until a day of your choice' },
  { value: 'never', label: 'Without an end' },
] as const;

/**
 * The moment from which the key opens nothing; null for never. A day of one's own counts to its
 * end.
 */
export function expiryOf(choice: string, day: string): string | null {
  if (choice === 'never') return null;
  const end =
    choice === 'day'
      ? new Date(`${day}T23:59:59.999`)
      : new Date(Date.now() + Number(choice) * 86_400_000);
  return end.toISOString();
}
