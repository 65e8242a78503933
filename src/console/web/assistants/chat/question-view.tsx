import { useEffect, useRef, useState } from 'react';
import { t } from '../../texts/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { ChatTurn } from './turn.ts';

/** To which version of a question a button leads. */
export type BranchStep = 'previous' | 'next';

type QuestionViewProps = {
  turn: ChatTurn;
  /** Whether a question can be asked now. */
  canAsk: boolean;
  onEdit: (turn: ChatTurn, question: string) => void;
  onBranch: (questionId: string, step: BranchStep) => void;
};

/** A question, which can be changed: then it begins a branch beside the one that it was in. */
export function QuestionView({ turn, canAsk, onEdit, onBranch }: QuestionViewProps) {
  const [isEditing, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const isCancelled = useRef(false);
  // The editor had the focus and is gone.
  useEffect(() => {
    if (!isEditing && isCancelled.current) editButton.current?.focus();
    isCancelled.current = false;
  }, [isEditing]);
  const { question, files } = turn;
  if (isEditing)
    return (
      <QuestionEditor
        question={question}
        onCancel={() => {
          isCancelled.current = true;
          setEditing(false);
        }}
        onSend={(text) => {
          setEditing(false);
          onEdit(turn, text);
        }}
      />
    );
  return (
    <>
      <article className="assistants-question" aria-label={t('chat.you')}>
        <p className="assistants-plain">{question}</p>
        {files.map(({ name, address }) => (
          <p className="hint" key={name}>
            <Icon name="file" />{' '}
            {address === undefined ? (
              name
            ) : (
              <a href={address} download={name}>
                {name}
              </a>
            )}
          </p>
        ))}
      </article>
      <div className="assistants-question-foot row">
        <Branches turn={turn} onBranch={onBranch} />
        {canAsk && (
          <IconButton
            ref={editButton}
            icon="edit"
            label={t('chat.editQuestion')}
            onClick={() => setEditing(true)}
          />
        )}
      </div>
    </>
  );
}

function QuestionEditor({
  question,
  onSend,
  onCancel,
}: {
  question: string;
  onSend: (question: string) => void;
  onCancel: () => void;
}) {
  const [text, setText] = useState(question);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    // Browsers begin at the start of a text.
    area.current?.setSelectionRange(question.length, question.length);
  }, [question]);
  return (
    <form
      className="assistants-question-editor"
      aria-label={t('chat.editQuestion')}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onSend(text.trim());
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onCancel();
      }}
    >
      <textarea
        ref={area}
        aria-label={t('chat.question')}
        rows={3}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <FormButtons>
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
        <Button type="submit" kind="primary" disabled={text.trim() === ''}>
          {t('chat.send')}
        </Button>
      </FormButtons>
    </form>
  );
}

/** The questions that were asked at one place: ‹ 2/3 ›. */
function Branches({
  turn: { id, branches },
  onBranch,
}: Pick<QuestionViewProps, 'turn' | 'onBranch'>) {
  if (branches.length < 2) return null;
  const index = branches.indexOf(id);
  const [previous, next] = [branches[index - 1], branches[index + 1]];
  return (
    <fieldset
      className="assistants-branches"
      data-question={id}
      aria-label={t('chat.questionVersions')}
    >
      <Button
        kind="quiet"
        aria-label={t('chat.previousVersion')}
        data-step="previous"
        disabled={previous === undefined}
        onClick={() => previous !== undefined && onBranch(previous, 'previous')}
      >
        ‹
      </Button>
      <span>
        {index + 1}/{branches.length}
      </span>
      <Button
        kind="quiet"
        aria-label={t('chat.nextVersion')}
        data-step="next"
        disabled={next === undefined}
        onClick={() => next !== undefined && onBranch(next, 'next')}
      >
        ›
      </Button>
    </fieldset>
  );
}
