/** Remembers the values of the most recently used names, and no more than `max` of them. */
export function createLruCache<Value extends object>(max: number) {
  const kept = new Map<string, Value>();
  const set = (name: string, value: Value): void => {
    kept.delete(name);
    kept.set(name, value);
    for (const oldest of kept.keys()) {
      if (kept.size <= max) break;
      kept.delete(oldest);
    }
  };
  return {
    get(name: string): Value | undefined {
      const value = kept.get(name);
      if (value) set(name, value);
      return value;
    },
    set,
  };
}
