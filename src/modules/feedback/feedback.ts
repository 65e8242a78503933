import type { FeedbackMark, FeedbackReason } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';

/** What a person says about an answer of their conversation. */
export type Feedback = {
  id: string;
  mark: FeedbackMark;
  /** Null unless the answer is bad. */
  reason: FeedbackReason | null;
  /** Empty: none was written. */
  comment: string;
  /** Copies of the question and the answer; null unless the person shares them. */
  sharedQuestion: string | null;
  sharedAnswer: string | null;
  /** The first instant of the day of the last change, in UTC. */
  givenOn: string;
};

export const commentCharactersMax = 2_000;

/** The columns of `answer_feedback f`. */
export const feedbackColumns = fragment`
  f.id, f.mark, f.reason, f.comment, f.shared_question as "sharedQuestion", f.shared_answer as "sharedAnswer",
  f.given_on as "givenOn"`;

/** Feedback as those who may change the assistant see it. */
export type ReceivedFeedback = Feedback & {
  /** Null unless the person shares the question and the answer. */
  sharedByUserId: string | null;
};

/** The columns of `answer_feedback f`. They name the person only with what the person shares. */
export const receivedColumns = fragment`
  ${feedbackColumns}, case when f.shared_answer is not null then f.user_id end as "sharedByUserId"`;
