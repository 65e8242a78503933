/** The choices for a key's lifetime; `day` asks for a date. */
export const expiryOptions = [
  { value: '90', label: 'In 90 days' },
  { value: '30', label: 'In 30 days' },
  { value: '365', label: 'In one year' },
  { value: 'day', label: 'On a date' },
  { value: 'never', label: 'Never' },
] as const;

/** The time at which the key expires; null for never. A chosen date is included. */
export function toExpiresAt(choice: string, day: string): string | null {
  if (choice === 'never') return null;
  const end =
    choice === 'day'
      ? new Date(`${day}T23:59:59.999`)
      : new Date(Date.now() + Number(choice) * 86_400_000);
  return end.toISOString();
}
