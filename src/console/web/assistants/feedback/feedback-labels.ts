import type { PlainKey } from '../../texts/catalogue.ts';
import type { FeedbackReason } from '../documents.ts';

export const reasonLabels = {
  WRONG: 'feedback.wrong',
  INCOMPLETE: 'feedback.incomplete',
  NOT_FROM_SOURCES: 'feedback.notFromSources',
  OUTDATED: 'feedback.outdated',
  OTHER: 'feedback.other',
} as const satisfies Record<FeedbackReason, PlainKey>;

/** The reasons in the order in which they are offered. */
export const feedbackReasons = [
  'WRONG',
  'INCOMPLETE',
  'NOT_FROM_SOURCES',
  'OUTDATED',
  'OTHER',
] as const satisfies readonly FeedbackReason[];
