import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  useId,
  useRef,
  useState,
} from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { sizeText } from '../files/file-words.ts';
import { useDroppedFiles } from '../use-dropped-files.ts';
import './composer.css';
import type { Chat } from './use-chat.ts';

const fileBytesMax = 26_214_400;

type ComposerProps = {
  name: string;
  chat: Chat;
  area: RefObject<HTMLTextAreaElement | null>;
  onSend: () => void;
};

/** Where questions are written. Enter sends, Shift and Enter begins a line. */
export function Composer({
  name,
  chat: { draft, setDraft, file, setFile, isRunning, send, stop },
  area,
  onSend,
}: ComposerProps) {
  const [refusal, setRefusal] = useState<string>();
  const picker = useRef<HTMLInputElement>(null);
  const id = useId();
  const question = draft.trim();

  const submit = () => {
    if (question === '' || isRunning) return;
    send(question);
    setDraft('');
    onSend();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends the choice of a character, as in Japanese, is not meant for us.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  const attach = (files: Iterable<File>) => {
    const [first, ...others] = files;
    if (!first) return;
    if (others.length > 0)
      return setRefusal('One file can go with a question. For more, add them under Files.');
    if (first.size === 0) return setRefusal(`${first.name} is empty.`);
    if (first.size > fileBytesMax)
      return setRefusal(
        `${first.name} is larger than ${sizeText(fileBytesMax)}, the most that can go with a question. Add it under Files.`,
      );
    setRefusal(undefined);
    setFile(first);
    area.current?.focus();
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
      {refusal && (
        <p className="hint fault" role="alert">
          {refusal}
        </p>
      )}
      {file && (
        <p className="assistants-attached">
          <Icon name="file" />
          <span>
            {file.name}{' '}
            <span className="quiet">({sizeText(file.size)}) goes with each question</span>
          </span>
          <Button kind="quiet" onClick={() => setFile(undefined)}>
            <Icon name="close" />
            <span className="sr-only">Leave out {file.name}</span>
          </Button>
        </p>
      )}
      <label className="sr-only" htmlFor={id}>
        Your question
      </label>
      <textarea
        ref={area}
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
        <input
          ref={picker}
          type="file"
          hidden
          onChange={({ target }) => attach(target.files ?? [])}
          onClick={({ currentTarget }) => (currentTarget.value = '')}
        />
        <Button kind="quiet" onClick={() => picker.current?.click()}>
          <Icon name="plus" /> {file ? 'Another file' : 'Attach a file'}
        </Button>
        <span id={`${id}-hint`} className="hint assistants-keys">
          Enter sends, Shift + Enter begins a line
        </span>
        {isRunning ? (
          <Button
            onClick={() => {
              stop();
              area.current?.focus();
            }}
          >
            <Icon name="close" /> Stop
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
