import type { BudgetMetric, BudgetMode, BudgetPeriod, BudgetScope } from './documents.ts';

export const scopeTexts: Record<BudgetScope, string> = {
  ORGANIZATION: 'Whole organization',
  TEAM: 'Team',
  USER: 'Person',
  ASSISTANT: 'Assistant',
  KEY: 'Key',
};

export const metricTexts: Record<BudgetMetric, string> = {
  TOKENS: 'tokens',
  COST: 'of cost',
  RUNS: 'answers',
};

export const periodTexts: Record<BudgetPeriod, string> = {
  DAY: 'a day',
  MONTH: 'a month',
  TOTAL: 'in total',
};

const optionsOf = <Value extends string>(texts: Record<Value, string>) =>
  Object.entries<string>(texts).map(([value, label]) => ({ value, label }));

export const metricOptions = optionsOf({ TOKENS: 'Tokens', COST: 'Cost', RUNS: 'Answers' });
export const periodOptions = optionsOf({ MONTH: 'A month', DAY: 'A day', TOTAL: 'In total' });
const modeTexts: Record<BudgetMode, string> = {
  WARN: 'Warn administrators by e-mail',
  BLOCK: 'Warn, and refuse further answers',
};
export const modeOptions = optionsOf(modeTexts);

/** The chosen value of a field; the first one if the field has none of them. */
export const chosenOf = <Value extends string>(
  values: readonly [Value, ...Value[]],
  text: string,
): Value => values.find((value) => value === text) ?? values[0];

export const metrics = ['TOKENS', 'COST', 'RUNS'] as const;
export const periods = ['MONTH', 'DAY', 'TOTAL'] as const;
export const modes = ['WARN', 'BLOCK'] as const;
