import { useEffect, useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { IconButton } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/status.tsx';
import { useToast } from '../../ui/toast.tsx';
import {
  type FeedbackFieldsFragment,
  type FeedbackMark,
  GiveFeedbackDocument,
  RemoveFeedbackDocument,
} from '../documents.ts';
import { FeedbackDialog } from './feedback-dialog.tsx';
import './feedback.css';

type FeedbackProps = {
  messageId: string;
  /** What the person has said about the answer, as the conversation was last read. */
  given: FeedbackFieldsFragment | null;
  question: string;
  answer: string;
};

const marks = [
  { mark: 'GOOD', icon: 'thumbUp', label: 'feedback.good' },
  { mark: 'BAD', icon: 'thumbDown', label: 'feedback.bad' },
] as const;

const noDetails = { comment: '', sharesContent: false };

/**
 * Marks an answer as good or bad. The mark is stored at once; a bad one opens the dialog for the
 * reason, and a pressed one is taken back.
 */
export function Feedback({ messageId, given, question, answer }: FeedbackProps) {
  // Until the conversation is read again, what the mutation returned is newer.
  const [latest, setLatest] = useState<{ feedback: FeedbackFieldsFragment | null }>();
  const [isOpen, setOpen] = useState(false);
  const invalidates = ['AssistantFeedback', 'FeedbackSummary'];
  const give = useGraphMutation(GiveFeedbackDocument, { invalidates });
  const remove = useGraphMutation(RemoveFeedbackDocument, { invalidates });
  const toast = useToast();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer of the server replaces the state
  useEffect(() => setLatest(undefined), [given]);
  const feedback = latest ? latest.feedback : given;
  const isBusy = give.busy || remove.busy;

  const store = async (next: FeedbackFieldsFragment) => {
    remove.clear();
    const result = await give.run({ messageId, ...next });
    if (result) setLatest({ feedback: result.giveFeedback.message.feedback });
    return result;
  };
  const press = async (mark: FeedbackMark) => {
    if (isBusy) return;
    if (feedback?.mark !== mark) {
      const { comment, sharesContent } = feedback ?? noDetails;
      if ((await store({ mark, reason: null, comment, sharesContent })) && mark === 'BAD')
        setOpen(true);
      return;
    }
    give.clear();
    if (!(await remove.run({ messageId }))) return;
    setLatest({ feedback: null });
    toast.show(t('feedback.takenBack'));
  };
  const fault = isOpen ? undefined : (give.fault ?? remove.fault);

  const editLabel = feedback?.comment === '' ? t('feedback.addComment') : t('feedback.editComment');
  return (
    <>
      <span className="feedback-marks">
        {marks.map(({ mark, icon, label }) => (
          <IconButton
            key={mark}
            icon={icon}
            label={t(label)}
            title={t(label)}
            aria-pressed={feedback?.mark === mark}
            onClick={() => press(mark)}
          />
        ))}
        {feedback && (
          <IconButton
            icon="edit"
            label={editLabel}
            title={editLabel}
            onClick={() => setOpen(true)}
          />
        )}
      </span>
      <FaultNote fault={fault} />
      {feedback && isOpen && (
        <FeedbackDialog
          feedback={feedback}
          question={question}
          answer={answer}
          action={give}
          onClose={() => {
            give.clear();
            setOpen(false);
          }}
          onSend={async (next) => {
            if (!(await store(next))) return;
            setOpen(false);
            toast.show(t('feedback.thanks'));
          }}
        />
      )}
    </>
  );
}
