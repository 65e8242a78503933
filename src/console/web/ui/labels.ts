import type { PlainKey } from '../texts/catalogue.ts';
import { formatNumber } from '../texts/format.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** The state of something, with the key of its text. */
type StateLabels = Readonly<Record<string, { tone: string; label: PlainKey }>>;

/** Formats bytes with a unit of 1,024 of the smaller one, like the limits of the server: 1.5 GB. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const amount = formatNumber(bytes / 1024 ** power, { maximumSignificantDigits: 3 });
  return `${amount} ${units[power] ?? 'B'}`;
}

/** The steps in which a file is processed, in their order. */
export const stageLabels = {
  EXTRACTING: 'ui.extracting',
  CHUNKING: 'ui.chunking',
  EMBEDDING: 'ui.embedding',
  INDEXING: 'ui.indexing',
} as const satisfies Record<string, PlainKey>;

/** The states of a file, with the same words on every page. */
export const fileStates = {
  PENDING: { tone: 'plain', label: 'ui.waiting' },
  PROCESSING: { tone: 'busy', label: 'ui.processing' },
  COMPLETED: { tone: 'good', label: 'ui.ready' },
  FAILED: { tone: 'bad', label: 'ui.failed' },
} as const satisfies StateLabels;

export const vaultStates = {
  HEALTHY: { tone: 'good', label: 'ui.healthy' },
  UNHEALTHY: { tone: 'bad', label: 'ui.unhealthy' },
  LOCKED: { tone: 'bad', label: 'ui.locked' },
  AWAY: { tone: 'bad', label: 'ui.unreachableState' },
  NONE: { tone: 'plain', label: 'ui.notSetUp' },
} as const satisfies StateLabels;

type NamedPerson = { firstName: string; lastName: string; email: string };

/** The name of a person, or the e-mail address when they have not entered a name. */
export const displayName = ({ firstName, lastName, email }: NamedPerson): string =>
  `${firstName} ${lastName}`.trim() || email;
