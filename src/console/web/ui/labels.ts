const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;
const digits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

/** Formats bytes with a unit of 1,024 of the smaller one, like the limits of the server: 1.5 GB. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${digits.format(bytes / 1024 ** power)} ${units[power] ?? 'B'}`;
}

/** The steps in which a file is processed, in their order. */
export const stageLabels = {
  EXTRACTING: 'Reading',
  CHUNKING: 'Splitting into passages',
  EMBEDDING: 'Embedding',
  INDEXING: 'Indexing',
} as const;

/** The states of a file, with the same words on every page. */
export const fileStates = {
  PENDING: { tone: 'plain', label: 'Waiting' },
  PROCESSING: { tone: 'busy', label: 'Processing' },
  COMPLETED: { tone: 'good', label: 'Ready' },
  FAILED: { tone: 'bad', label: 'Failed' },
} as const;

export const vaultStates = {
  HEALTHY: { tone: 'good', label: 'Healthy' },
  UNHEALTHY: { tone: 'bad', label: 'Unhealthy' },
  LOCKED: { tone: 'bad', label: 'Locked' },
  AWAY: { tone: 'bad', label: 'Unreachable' },
  NONE: { tone: 'plain', label: 'Not set up' },
} as const;

type NamedPerson = { firstName: string; lastName: string; email: string };

/** The name of a person, or the e-mail address when they have not entered a name. */
export const displayName = ({ firstName, lastName, email }: NamedPerson): string =>
  `${firstName} ${lastName}`.trim() || email;
