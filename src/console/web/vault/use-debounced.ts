import { useEffect, useState } from 'react';

const debounceMs = 250;

/** The value after a pause in typing, so that not every letter sends a query. */
export function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), debounceMs);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
