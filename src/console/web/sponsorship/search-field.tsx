import { useEffect, useRef } from 'react';
import { TextField } from '../ui/text-field.tsx';

// Long enough for the next letter of a word, short enough to feel at once.
const pauseMs = 300;

/** Searches when the typing pauses. */
export function SearchField({ label, value, onSearch }: { label: string; value: string; onSearch: (text: string) => void }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <TextField
      label={label}
      type="search"
      maxLength={200}
      defaultValue={value}
      onChange={({ target }) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onSearch(target.value.trim()), pauseMs);
      }}
    />
  );
}
