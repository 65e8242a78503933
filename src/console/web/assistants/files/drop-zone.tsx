import { useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useDroppedFiles } from '../use-dropped-files.ts';
import { fileBytesMax, formatBytes } from './file-labels.ts';

/** Accepts files by drag and drop or by a file dialog, several at once. */
export function DropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const isOver = useDroppedFiles(onFiles);
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className={isOver ? 'assistants-drop assistants-drop-over' : 'assistants-drop'}>
      <Icon name="upload" />
      <p>
        Drop files here, or choose them.
        <span className="hint">
          {' '}
          PDF, Word, PowerPoint, Excel, OpenDocument, HTML, Markdown, CSV, JSON, text and e-mail,
          each up to {formatBytes(fileBytesMax)}
        </span>
      </p>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to add"
        onChange={({ target }) => onFiles([...(target.files ?? [])])}
        onClick={({ currentTarget }) => {
          // Without the reset, choosing the same file again would not fire a change event.
          currentTarget.value = '';
        }}
      />
      <Button kind="primary" onClick={() => picker.current?.click()}>
        Choose files
      </Button>
    </div>
  );
}
