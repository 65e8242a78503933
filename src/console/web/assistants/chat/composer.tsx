import { type ClipboardEvent, type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { FilePicker } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { formatBytes } from '../../ui/labels.ts';
import { useDroppedFiles } from '../use-dropped-files.ts';
import type { ChatState } from './use-chat.ts';
import './composer.css';

const fileBytesMax = 26_214_400;

type ComposerProps = {
  name: string;
  chat: ChatState;
  textArea: RefObject<HTMLTextAreaElement | null>;
  onSend: () => void;
};

/** The input for questions. Enter sends, Shift and Enter starts a new line. */
export function Composer({
  name,
  chat: { draft, setDraft, file, setFile, isRunning, send, stop },
  textArea,
  onSend,
}: ComposerProps) {
  const [fileError, setFileError] = useState<string>();
  const id = useId();
  const question = draft.trim();

  const submit = () => {
    if (question === '' || isRunning) return;
    send(question);
    setDraft('');
    onSend();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms a character in input methods, for example for Japanese. That must not
    // send.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  const attach = (files: Iterable<File>) => {
    const [first, ...others] = files;
    if (!first) return;
    if (others.length > 0)
      return setFileError(
        'You can attach one file to a question. To use several, add them on the Files tab.',
      );
    if (first.size === 0) return setFileError(`${first.name} is empty.`);
    if (first.size > fileBytesMax)
      return setFileError(
        `${first.name} is larger than ${formatBytes(fileBytesMax)}, the maximum size of an attached file. Add it on the Files tab instead.`,
      );
    setFileError(undefined);
    setFile(first);
    textArea.current?.focus();
  };
  const isOver = useDroppedFiles(attach);
  const paste = (event: ClipboardEvent) => {
    const { files } = event.clipboardData;
    if (files.length === 0) return;
    event.preventDefault();
    attach(files);
  };

  return (
    <form
      className={isOver ? 'assistants-composer assistants-composer-over' : 'assistants-composer'}
      aria-label={`Ask ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {fileError && (
        <p className="hint fault" role="alert">
          {fileError}
        </p>
      )}
      {file && (
        <p className="assistants-attached">
          <Icon name="file" />
          <span>
            {file.name}{' '}
            <span className="quiet">({formatBytes(file.size)}) is attached to each question</span>
          </span>
          <Button subject={`Remove ${file.name}`} kind="quiet" onClick={() => setFile(undefined)}>
            <Icon name="close" />
          </Button>
        </p>
      )}
      <label className="sr-only" htmlFor={id}>
        Your question
      </label>
      <textarea
        ref={textArea}
        id={id}
        rows={2}
        value={draft}
        placeholder={`Ask ${name}`}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => setDraft(target.value)}
        onKeyDown={onKeyDown}
        onPaste={paste}
      />
      <div className="assistants-composer-row">
        <FilePicker kind="quiet" icon="plus" onFiles={attach}>
          {file ? 'Replace file' : 'Attach a file'}
        </FilePicker>
        <span id={`${id}-hint`} className="hint assistants-keys">
          Enter sends, Shift + Enter starts a new line
        </span>
        {isRunning ? (
          <Button
            icon="close"
            onClick={() => {
              stop();
              textArea.current?.focus();
            }}
          >
            Stop
          </Button>
        ) : (
          <Button type="submit" kind="primary" disabled={question === ''}>
            Send
          </Button>
        )}
      </div>
    </form>
  );
}
