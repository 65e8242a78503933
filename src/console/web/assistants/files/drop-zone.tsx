import { useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useDroppedFiles } from '../use-dropped-files.ts';
import { fileBytesMax, sizeText } from './file-words.ts';

/** Takes files that are dropped on the page, or chosen; several at once. */
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
          PDF, Word, PowerPoint, Excel, OpenDocument, HTML, Markdown, CSV, JSON, text and mail, each
          up to {sizeText(fileBytesMax)}
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
