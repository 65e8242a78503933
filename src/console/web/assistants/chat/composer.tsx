import { type ClipboardEvent, type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { FilePicker } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { formatBytes } from '../../ui/labels.ts';
import { FaultNote } from '../../ui/status.tsx';
import { useDroppedFiles } from '../use-dropped-files.ts';
import { chooseFiles } from './attachments.ts';
import type { ChatState } from './use-chat.ts';
import './composer.css';
import { t } from '../../texts/text.ts';

type ComposerProps = {
  name: string;
  chat: ChatState;
  textArea: RefObject<HTMLTextAreaElement | null>;
  onSend: () => void;
};

/** The input for questions. Enter sends, Shift and Enter starts a new line. */
export function Composer({ name, chat, textArea, onSend }: ComposerProps) {
  const { draft, setDraft, files, setFiles, fault, setFault, isRunning, queued } = chat;
  const [fileErrors, setFileErrors] = useState<readonly string[]>([]);
  const id = useId();
  const question = draft.trim();
  const canSend = question !== '' && !queued;

  const submit = () => {
    if (!canSend) return;
    setFileErrors([]);
    chat.send(question);
    onSend();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms a character in input methods, for example for Japanese. That must not
    // send.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  const attach = (added: readonly File[]) => {
    const choice = chooseFiles(files, added);
    setFault(undefined);
    setFileErrors(choice.errors);
    setFiles(choice.files);
    textArea.current?.focus();
  };
  const isOver = useDroppedFiles(attach);
  const paste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    attach(pasted);
  };

  return (
    <form
      className={isOver ? 'assistants-composer assistants-composer-over' : 'assistants-composer'}
      aria-label={t('chat.ask', { name })}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
        // The button that was pressed disappears. After a tap the focus would open the keyboard of
        // the touch screen over the answer.
        const isTapped = !document.activeElement?.matches(':focus-visible');
        if (!isTapped || matchMedia('(hover: hover)').matches) textArea.current?.focus();
      }}
    >
      <FaultNote fault={fault} />
      {fileErrors.map((error) => (
        <p className="hint fault" role="alert" key={error}>
          {error}
        </p>
      ))}
      {queued && (
        <p className="assistants-queued">
          <Icon name="clock" />
          <span className="assistants-queued-text">
            <span className="quiet">{t('chat.next')}</span> {queued.question}
          </span>
          <Button kind="quiet" onClick={chat.cancelQueued}>
            {t('chat.change')}
          </Button>
        </p>
      )}
      {files.length > 0 && (
        <ul className="assistants-attached plain-list" aria-label={t('chat.attachedFiles')}>
          {files.map((file) => (
            <li key={`${file.name} ${file.size} ${file.lastModified}`}>
              <Icon name="file" />
              <span>
                {file.name} <span className="quiet">({formatBytes(file.size)})</span>
              </span>
              <IconButton
                icon="close"
                label={t('chat.removeFile', { name: file.name })}
                onClick={() => {
                  setFiles(files.filter((each) => each !== file));
                  setFileErrors([]);
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <label className="sr-only" htmlFor={id}>
        {t('chat.yourQuestion')}
      </label>
      <textarea
        ref={textArea}
        id={id}
        rows={2}
        value={draft}
        placeholder={t('chat.ask', { name })}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => {
          setDraft(target.value);
          // What was refused is being changed, so the message is out of date.
          if (fault) setFault(undefined);
          if (fileErrors.length > 0) setFileErrors([]);
        }}
        onKeyDown={onKeyDown}
        onPaste={paste}
      />
      <div className="assistants-composer-row">
        <FilePicker
          kind="quiet"
          icon="plus"
          label={t('chat.filesToAttach')}
          multiple
          onFiles={attach}
        >
          {t('chat.attachFiles')}
        </FilePicker>
        <span id={`${id}-hint`} className="hint assistants-keys">
          {t('chat.keysHint')}
        </span>
        {isRunning && (
          <Button
            icon="stop"
            title={t('chat.escapeStops')}
            onClick={() => {
              chat.stop();
              textArea.current?.focus();
            }}
          >
            {t('chat.stop')}
          </Button>
        )}
        {(!isRunning || question !== '') && (
          <Button type="submit" kind="primary" disabled={!canSend}>
            {isRunning ? t('chat.sendNext') : t('chat.send')}
          </Button>
        )}
      </div>
    </form>
  );
}
