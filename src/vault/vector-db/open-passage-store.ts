import { convertLance } from './convert-lance.ts';
import type { PassageStore, PassageStoreOptions } from './passage-store.ts';

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
