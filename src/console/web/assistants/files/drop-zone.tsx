import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { fileBytesMax, sizeText } from './file-words.ts';

/** Takes files that are dropped, or chosen; several at once. */
export function DropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const [isOver, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside is the one for everybody
    <div
      className={isOver ? 'assistants-drop assistants-drop-over' : 'assistants-drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      <Icon name="upload" />
      <p>
        Drop files here, or choose them.
        <span className="hint"> PDF, Word, PowerPoint, Excel, OpenDocument, HTML, Markdown, CSV, JSON, text and mail, each up to {sizeText(fileBytesMax)}</span>
      </p>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to add"
        onChange={({ target }) => onFiles([...(target.files ?? [])])}
        onClick={({ currentTarget }) => {
          // The same file may be chosen twice.
          currentTarget.value = '';
        }}
      />
      <Button kind="primary" onClick={() => picker.current?.click()}>
        Choose files
      </Button>
    </div>
  );
}
