import { useRef } from 'react';
import { Button } from '../../ui/button.tsx';

/** Chooses a replacement for a file. The old file stays searchable until the new one is ready. */
export function ReplaceButton({ name, onFile }: { name: string; onFile: (file: File) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={`A file to replace ${name}`}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onFile(file);
        }}
        onClick={({ currentTarget }) => {
          currentTarget.value = '';
        }}
      />
      <Button onClick={() => picker.current?.click()}>
        Replace<span className="sr-only"> {name}</span>
      </Button>
    </>
  );
}
