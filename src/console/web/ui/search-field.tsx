import { useEffect, useRef } from 'react';
import { TextField } from './text-field.tsx';

// Long enough for the next letter of a word, short enough to feel at once.
const pauseMs = 300;

/** Searches when the typing pauses, and follows an address that changes in another way. */
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
    // Whoever is typing goes on typing.
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
        timer.current = setTimeout(() => search(target.value), pauseMs);
      }}
    />
  );
}
