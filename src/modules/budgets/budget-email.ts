import type {
  BudgetMetric,
  BudgetPeriod,
  BudgetScope,
} from '../../platform/database/generated/client.ts';
import { formatEmail, quotedName } from '../../platform/mail/format-email.ts';
import type { EmailMessage } from '../../platform/mail/mailer.ts';
import { periodEnd } from './budget-period.ts';
import type { ReachedBudget } from './reached-budget.ts';

const scopes: Record<BudgetScope, string> = {
  ORGANIZATION: 'the organization',
  TEAM: 'a team',
  USER: 'a person',
  KEY: 'an API key',
  ASSISTANT: 'an assistant',
};
const metrics: Record<BudgetMetric, string> = { TOKENS: 'tokens', COST: 'cost', RUNS: 'runs' };
const periods: Record<BudgetPeriod, string> = { DAY: 'daily ', MONTH: 'monthly ', TOTAL: '' };

/** The mail to an administrator when a share of a budget is used. */
export function budgetEmail({ to, budget }: { to: string; budget: ReachedBudget }): EmailMessage {
  const { organizationName, scope, metric, period, limit, used, percent } = budget;
  const isUsedUp = percent === 100;
  return formatEmail({
    to,
    subject: isUsedUp ? 'A budget is used up' : `${percent} % of a budget are used`,
    paragraphs: [
      `The ${periods[period]}budget of ${metrics[metric]} for ${scopes[scope]} in ${quotedName(organizationName)} allows ${limit.toLocaleString('en')}. Now ${used.toLocaleString('en', { maximumFractionDigits: 6 })} are used.`,
      consequence(budget, isUsedUp),
    ],
    notes: ['You get this mail because you are an administrator of the organization.'],
  });
}

function consequence({ mode, period, periodStart }: ReachedBudget, isUsedUp: boolean): string {
  const end = periodEnd(period, new Date(periodStart));
  if (mode === 'WARN') return 'The budget only warns: runs continue.';
  if (!isUsedUp) return 'Once it is used up, runs that count for it are refused.';
  return end
    ? `Runs that count for it are refused until ${end.toISOString()}, or until you raise the limit.`
    : 'Runs that count for it are refused until you raise the limit.';
}
