import DataLoader from 'dataloader';
import type { Context } from '../../access/context.ts';

/**
 * Reads together what the fields of one request need at the same moment. It has no cache, because a
 * request can contain several mutations, and each must read the rows as they are then.
 */
export function requestLoader<Key, Value>(
  readEach: (keys: readonly Key[], context: Context) => Promise<readonly (Value | Error)[]>,
): (context: Context) => DataLoader<Key, Value> {
  const loaders = new WeakMap<Context, DataLoader<Key, Value>>();
  return (context) => {
    const existing = loaders.get(context);
    if (existing) return existing;
    const loader = new DataLoader<Key, Value>((keys) => readEach(keys, context), { cache: false });
    loaders.set(context, loader);
    return loader;
  };
}
