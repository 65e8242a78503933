import type { ErrorReason } from '../../../platform/error-reasons.ts';
import { AppError } from '../../../platform/errors.ts';

const messages = {
  LINK_INACTIVE: 'This link is switched off',
  CAMPAIGN_INACTIVE: 'This offer is switched off',
  CAMPAIGN_EXPIRED: 'This offer has ended',
  CAMPAIGN_EXHAUSTED: 'All places of this offer are taken',
  EMAIL_NOT_ALLOWED: 'This offer is not open to your e-mail address',
  EMAIL_NOT_VERIFIED: 'Please confirm your e-mail address first',
  PASSWORD_REQUIRED: 'This link needs its password',
  PASSWORD_WRONG: 'This is not the password of the link',
  INVITATION_EXPIRED: 'This invitation has expired; ask for a new one',
  INVITATION_REVOKED: 'This invitation was withdrawn',
  INVITATION_USED: 'This invitation was used already',
  ALREADY_REDEEMED: 'You have used this offer already',
} as const satisfies Partial<Record<ErrorReason, string>>;

export type RefusalReason = keyof typeof messages;

export const refusalReasons = Object.keys(messages) as RefusalReason[];

/** The error if a person cannot use a link. The page chooses its text by the reason. */
export class RedemptionRefused extends AppError {
  declare readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    const isConflict = reason === 'ALREADY_REDEEMED' || reason === 'INVITATION_USED';
    super(isConflict ? 'CONFLICT' : 'FORBIDDEN', messages[reason], reason);
    this.name = 'RedemptionRefused';
  }
}
