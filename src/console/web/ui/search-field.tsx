import { useEffect, useRef } from 'react';
import { TextField } from './text-field.tsx';

// Longer than the pause between two keys, and short enough to feel immediate.
const debounceMs = 300;

/** Searches when the person pauses typing. The field follows a value that changes by navigation. */
export function SearchField({
  label,
  value = '',
  onSearch,
}: {
  label: string;
  value?: string;
  onSearch: (text: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // Text that the person is still typing is not overwritten.
    if (input.current && timer.current === undefined && input.current.value.trim() !== value)
      input.current.value = value;
  }, [value]);
  const search = (text: string) => {
    timer.current = undefined;
    onSearch(text.trim());
  };
  return (
    <TextField
      ref={input}
      label={label}
      type="search"
      autoComplete="off"
      maxLength={200}
      defaultValue={value}
      onChange={({ target }) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => search(target.value), debounceMs);
      }}
    />
  );
}
