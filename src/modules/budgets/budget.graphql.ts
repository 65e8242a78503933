import type { Context } from '../../access/context.ts';
import { memberOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../graph/schema/connection.ts';
import { number } from '../../graph/schema/input-rules.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { addNodeSource, Node } from '../../graph/schema/node.ts';
import { neverNull } from '../../graph/schema/presence.ts';
import {
  BudgetMetric,
  BudgetMode,
  BudgetPeriod,
  BudgetScope,
} from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import { writerOf } from '../audit/record-change.ts';
import type { Budget as BudgetRow } from './budget.ts';
import { periodEnd } from './budget-period.ts';
import './budget-services.ts';
import { createBudget } from './create-budget.ts';
import { deleteBudget } from './delete-budget.ts';
import { listBudgets } from './list-budgets.ts';
import { readBudgets } from './read-budgets.ts';
import { limitMax, limitMin } from './require-limit.ts';
import { updateBudget } from './update-budget.ts';

const limitRule = number({ min: limitMin, max: limitMax });

builder.enumType(BudgetScope, {
  name: 'BudgetScope',
  description: 'Whose runs a budget counts.',
  values: {
    ORGANIZATION: { description: 'All runs of the organization.' },
    TEAM: { description: 'The runs of the people who are in the team when a step begins.' },
    USER: { description: 'The runs of one person, signed in and with keys.' },
    KEY: { description: 'The runs with one user key.' },
    ASSISTANT: { description: 'The runs of one assistant.' },
  },
});
builder.enumType(BudgetMetric, {
  name: 'BudgetMetric',
  description: 'What a budget counts.',
  values: {
    TOKENS: { description: 'Tokens that models read and write.' },
    COST: {
      description: 'The cost by the prices of the models. A model without a price costs nothing.',
    },
    RUNS: { description: 'Runs whose first step has ended.' },
  },
});
builder.enumType(BudgetPeriod, {
  name: 'BudgetPeriod',
  description: 'When a budget begins again.',
  values: {
    DAY: { description: 'Every day at midnight in UTC.' },
    MONTH: { description: 'Every month on the first day, at midnight in UTC.' },
    TOTAL: { description: 'Never.' },
  },
});
builder.enumType(BudgetMode, {
  name: 'BudgetMode',
  description: 'What happens once a budget is used up.',
  values: {
    WARN: { description: 'Administrators are informed, and runs continue.' },
    BLOCK: { description: 'Administrators are informed, and steps of runs are refused.' },
  },
});

const Budget = builder.objectRef<BudgetRow>('Budget').implement({
  interfaces: [Node],
  description: 'A limit of what runs may use in a period.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the budget, an opaque string that never changes.',
    }),
    scope: t.expose('scope', { type: BudgetScope, description: 'Whose runs it counts.' }),
    scopeId: t.exposeID('scopeId', {
      nullable: true,
      description:
        'The id of the team, person, key or assistant, which may be deleted; null for ORGANIZATION.',
    }),
    metric: t.expose('metric', { type: BudgetMetric, description: 'What it counts.' }),
    period: t.expose('period', { type: BudgetPeriod, description: 'When it begins again.' }),
    limit: t.expose('limit', {
      type: 'Decimal',
      description: 'How much may be used in a period.',
    }),
    mode: t.expose('mode', {
      type: BudgetMode,
      description: 'What happens once it is used up.',
    }),
    used: t.expose('used', {
      type: 'Decimal',
      description: 'What steps have used in the current period, since the budget was created.',
    }),
    reserved: t.expose('reserved', {
      type: 'Decimal',
      description: 'What running steps have reserved.',
    }),
    periodStart: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The start of the current period; null for TOTAL.',
      resolve: ({ period, periodStart }) => (period === 'TOTAL' ? null : periodStart),
    }),
    periodEnd: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the next period begins; null for TOTAL.',
      resolve: ({ period, periodStart }) => periodEnd(period, new Date(periodStart)),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the budget was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When its limit or mode was last changed.',
    }),
  }),
});

addNodeSource('Budget', {
  scopes: { administrator: true },
  table: fragment`budgets`,
  load: (budgetIds, context) =>
    readBudgets({ organizationId: memberOf(context.viewer).organizationId, budgetIds }, context),
});

const BudgetConnection = connectionType('Budget', Budget);
const BudgetOrder = orderType('BudgetOrder', { CREATED_AT: 'When the budget was created.' });

builder.queryField('budgets', (t) =>
  t.field({
    type: BudgetConnection,
    description: 'The budgets of the organization, newest first. Without arguments all of them.',
    args: {
      ...connectionArgs(),
      orderBy: t.arg({ type: BudgetOrder, required: false, description: 'The order of the list.' }),
    },
    cost: connectionCost('all'),
    authScopes: { administrator: true },
    resolve: (_, args, context, info) =>
      listBudgets(
        { ...args, organizationId: memberOf(context.viewer).organizationId },
        pageRequest(args, info, 'all'),
        context,
      ),
  }),
);

/** Runs a change of budgets. The next run in this process knows it. */
async function changing<T>(
  context: Context,
  work: (writer: ReturnType<typeof writerOf>) => Promise<T>,
): Promise<T> {
  const writer = writerOf(context);
  const result = await work(writer);
  context.budgets.changed(writer.actor.organizationId);
  return result;
}

mutation('createBudget', {
  description: 'Creates a budget. It counts what runs use from now on.',
  authScopes: { administrator: true },
  input: (t) => ({
    scope: t.field({ type: BudgetScope, description: 'Whose runs it counts.' }),
    scopeId: t.field({
      type: 'ID',
      required: false,
      description: 'The id of the team, person, key or assistant; none for ORGANIZATION.',
    }),
    metric: t.field({ type: BudgetMetric, description: 'What it counts.' }),
    period: t.field({ type: BudgetPeriod, description: 'When it begins again.' }),
    limit: t.field({
      type: 'Decimal',
      rule: limitRule,
      description:
        'How much may be used in a period: an integer, or for COST a number with at most 6 decimal places.',
    }),
    mode: t.field({ type: BudgetMode, description: 'What happens once it is used up.' }),
  }),
  resolve: (input, context) =>
    changing(context, async (writer) => ({
      budget: await createBudget(input, { ...writer, prices: context.usage.prices }),
    })),
  payload: (t) => ({
    budget: t.expose('budget', { type: Budget, description: 'The new budget.' }),
  }),
});

mutation('updateBudget', {
  description: 'Changes the limit or the mode of a budget. What was used stays.',
  authScopes: { administrator: true },
  input: (t) => ({
    budgetId: t.field({ type: 'ID', description: 'The id of the budget.' }),
    limit: t.field({
      type: 'Decimal',
      rule: limitRule,
      ...neverNull,
      description: 'The new limit of a period; omitted, it stays as it is.',
    }),
    mode: t.field({
      type: BudgetMode,
      ...neverNull,
      description: 'The new mode; omitted, it stays as it is.',
    }),
  }),
  resolve: (input, context) =>
    changing(context, async (writer) => ({ budget: await updateBudget(input, writer) })),
  payload: (t) => ({
    budget: t.expose('budget', { type: Budget, description: 'The changed budget.' }),
  }),
});

mutation('deleteBudget', {
  description: 'Deletes a budget. Runs in progress no longer count for it.',
  authScopes: { administrator: true },
  input: (t) => ({ budgetId: t.field({ type: 'ID', description: 'The id of the budget.' }) }),
  resolve: ({ budgetId }, context) =>
    changing(context, async (writer) => {
      await deleteBudget({ budgetId }, writer);
      return { deletedBudgetId: budgetId };
    }),
  payload: (t) => ({
    deletedBudgetId: t.exposeID('deletedBudgetId', {
      description: 'The id of the deleted budget.',
    }),
  }),
});
