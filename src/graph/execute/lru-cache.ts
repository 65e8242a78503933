/** A cache of the `max` most recently used entries. */
export function createLruCache<Value extends object>(max: number) {
  const entries = new Map<string, Value>();
  const set = (name: string, value: Value): void => {
    entries.delete(name);
    entries.set(name, value);
    for (const oldest of entries.keys()) {
      if (entries.size <= max) break;
      entries.delete(oldest);
    }
  };
  return {
    get(name: string): Value | undefined {
      const value = entries.get(name);
      if (value) set(name, value);
      return value;
    },
    set,
  };
}
