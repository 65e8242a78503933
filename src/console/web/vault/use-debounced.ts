import { useEffect, useState } from 'react';

const settledMs = 250;

/** What somebody types, once they pause, so that not every letter is a question. */
export function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settledMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
