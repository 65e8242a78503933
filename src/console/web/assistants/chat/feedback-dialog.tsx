import { useState } from 'react';
import type { ApiFault } from '../../graph/fault.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, TextArea } from '../../ui/fields.tsx';
import { Form, fieldText } from '../../ui/form.tsx';
import type { FeedbackFieldsFragment } from '../documents.ts';
import { feedbackReasons, reasonLabels } from '../feedback/feedback-labels.ts';

type FeedbackDialogProps = {
  feedback: FeedbackFieldsFragment;
  question: string;
  answer: string;
  action: { busy: boolean; fault: ApiFault | undefined };
  onClose: () => void;
  onSend: (feedback: FeedbackFieldsFragment) => void;
};

const commentCharactersMax = 2_000;

/** The reason and the comment of feedback, and whether the question and the answer are shared. */
export function FeedbackDialog({
  feedback: { mark, reason: storedReason, comment, sharesContent },
  question,
  answer,
  action,
  onClose,
  onSend,
}: FeedbackDialogProps) {
  const [reason, setReason] = useState(storedReason);
  const [shares, setShares] = useState(sharesContent);
  const title = mark === 'GOOD' ? t('feedback.whatWasGood') : t('feedback.whatWasBad');
  return (
    <Dialog title={title} open onClose={onClose}>
      <Form
        label={title}
        action={action}
        submit={t('feedback.send')}
        buttons={<Button onClick={onClose}>{t('ui.cancel')}</Button>}
        onSubmit={(data) =>
          onSend({ mark, reason, comment: fieldText(data, 'comment'), sharesContent: shares })
        }
      >
        {mark === 'BAD' && (
          <fieldset className="feedback-reasons">
            <legend>{t('feedback.reason')}</legend>
            {feedbackReasons.map((value) => (
              <label key={value}>
                <input
                  type="radio"
                  name="reason"
                  value={value}
                  checked={reason === value}
                  onChange={() => setReason(value)}
                />
                {t(reasonLabels[value])}
              </label>
            ))}
          </fieldset>
        )}
        <TextArea
          label={t('feedback.comment')}
          name="comment"
          required={false}
          maxLength={commentCharactersMax}
          defaultValue={comment}
          hint={t('feedback.anonymousHint')}
        />
        <CheckField
          label={t('feedback.shareContent')}
          hint={t('feedback.shareContentHint')}
          checked={shares}
          onChange={({ target }) => setShares(target.checked)}
        />
        {shares && (
          <section className="feedback-shared" aria-label={t('feedback.sharedTexts')}>
            <SharedTexts question={question} answer={answer} />
          </section>
        )}
      </Form>
    </Dialog>
  );
}

/** A question and its answer as plain text. */
export const SharedTexts = ({ question, answer }: { question: string; answer: string }) => (
  <dl>
    <dt>{t('feedback.question')}</dt>
    <dd>{question}</dd>
    <dt>{t('feedback.answer')}</dt>
    <dd>{answer}</dd>
  </dl>
);
