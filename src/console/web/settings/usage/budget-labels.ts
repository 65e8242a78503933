import type { PlainKey } from '../../texts/catalogue.ts';
import { t } from '../../texts/text.ts';
import type { BudgetMode, BudgetScope } from './documents.ts';

export const scopeTexts: Record<BudgetScope, PlainKey> = {
  ORGANIZATION: 'usage.wholeOrganization',
  TEAM: 'usage.team',
  USER: 'usage.person',
  ASSISTANT: 'usage.assistant',
  KEY: 'usage.key',
};

const optionsOf = (texts: Record<string, PlainKey>) => () =>
  Object.entries(texts).map(([value, label]) => ({ value, label: t(label) }));

export const metricOptions = optionsOf({
  TOKENS: 'usage.tokens',
  COST: 'usage.cost',
  RUNS: 'usage.answers',
});
export const periodOptions = optionsOf({
  MONTH: 'usage.aMonth',
  DAY: 'usage.aDay',
  TOTAL: 'usage.inTotal',
});
const modeTexts: Record<BudgetMode, PlainKey> = {
  WARN: 'usage.warn',
  BLOCK: 'usage.block',
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
