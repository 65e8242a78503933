import { useEffect, useState } from 'react';
import { TextField } from '../ui/text-field.tsx';

const restMs = 250;

/** Looks for what was typed once the typing rests. */
export function SearchField({ label, onSearch }: { label: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts a search, not the page around it being drawn again
  useEffect(() => {
    if (text === undefined) return undefined;
    const timer = setTimeout(() => onSearch(text.trim()), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <search className="toolbar settings-search">
      <TextField label={label} name="search" type="search" maxLength={200} autoComplete="off" onChange={({ target }) => setText(target.value)} />
    </search>
  );
}
