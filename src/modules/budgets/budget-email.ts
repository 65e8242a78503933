import type { Language } from '../../platform/database/generated/client.ts';
import { formatEmail, quotedName } from '../../platform/mail/format-email.ts';
import type { EmailMessage } from '../../platform/mail/mailer.ts';
import { emailText } from '../emails/email-text.ts';
import { periodEnd } from './budget-period.ts';
import type { ReachedBudget } from './reached-budget.ts';

type BudgetEmailInput = { to: string; language: Language; budget: ReachedBudget };

/** The mail to an administrator when a share of a budget is used. */
export function budgetEmail({ to, language, budget }: BudgetEmailInput): EmailMessage {
  const { scope, metric, period, limit, used, percent } = budget;
  const isUsedUp = percent === 100;
  const organizationName = quotedName(budget.organizationName, language);
  return formatEmail({
    to,
    language,
    subject: isUsedUp
      ? emailText(language, 'budgetUsedUpSubject')
      : emailText(language, 'budgetWarnedSubject', { percent }),
    paragraphs: [
      emailText(language, 'budgetLead', { scope, metric, period, organizationName, limit, used }),
      consequence(budget, isUsedUp, language),
    ],
    notes: [emailText(language, 'becauseAdministrator')],
  });
}

function consequence(
  { mode, period, periodStart }: ReachedBudget,
  isUsedUp: boolean,
  language: Language,
): string {
  const end = periodEnd(period, new Date(periodStart));
  if (mode === 'WARN') return emailText(language, 'budgetOnlyWarns');
  if (!isUsedUp) return emailText(language, 'budgetWillRefuse');
  return end
    ? emailText(language, 'budgetRefusesUntil', { end })
    : emailText(language, 'budgetRefuses');
}
