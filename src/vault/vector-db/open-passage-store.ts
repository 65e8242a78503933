import { convertLance } from './convert-lance.ts';
import type { PassageStore, PassageStoreOptions } from './passage-store.ts';
import { isPostgres, readPostgresAddress } from './postgres/address.ts';

export async function openPassageStore(options: PassageStoreOptions): Promise<PassageStore> {
  const { location, storageOptions, engine = engineOf(location) } = options;
  if (engine === 'postgres') {
    const { openPostgresStore } = await import('./postgres/open-store.ts');
    return openPostgresStore({
      ...options,
      address: readPostgresAddress(location, storageOptions),
      vectorIndexRowsMin: options.thresholds?.vectorIndexRowsMin,
    });
  }
  if (engine === 'sqlite') {
    await convertLance(options);
    const { openSqliteStore } = await import('./sqlite/open-store.ts');
    return openSqliteStore(options);
  }
  const { openLanceStore } = await import('./lance/store.ts');
  return openLanceStore(options);
}

export function engineOf(location: string): NonNullable<PassageStoreOptions['engine']> {
  if (isPostgres(location)) return 'postgres';
  return location.includes('://') ? 'lance' : 'sqlite';
}
