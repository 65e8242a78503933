import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { convertLance } from './convert-lance.ts';
import type { StoreThresholds } from './lance/store.ts';
import type { PassageStore } from './passage-store.ts';

export type PassageStoreOptions = {
  /** A directory, or an address such as s3://bucket/prefix. */
  location: string;
  storageOptions: Record<string, string>;
  cacheMb: number;
  /** Default: SQLite in a directory, Lance in a bucket. */
  engine?: 'sqlite' | 'lance' | undefined;
  /** When Lance moves passages and builds indexes. Tests set low numbers. */
  thresholds?: StoreThresholds | undefined;
  clock: Clock;
  log: Log;
};

export async function openPassageStore(options: PassageStoreOptions): Promise<PassageStore> {
  const { engine = options.location.includes('://') ? 'lance' : 'sqlite' } = options;
  if (engine === 'sqlite') {
    await convertLance(options);
    const { openSqliteStore } = await import('./sqlite/open-store.ts');
    return openSqliteStore(options);
  }
  const { openLanceStore } = await import('./lance/store.ts');
  return openLanceStore(options);
}
