import type { Context } from '../../access/context.ts';
import { memberOf, personOf } from '../../access/scopes.ts';
import { watchAccess } from '../../access/watch-access.ts';
import { builder } from '../../graph/schema/builder.ts';
import { sizedByParent } from '../../graph/schema/field-cost.ts';
import type { RestForm } from '../../graph/schema/rest-form.ts';
import { InputFault } from '../../platform/input-fault.ts';
import { usageReports } from '../organizations/features.ts';
import './day.graphql.ts';
import { exportBatchMax, exportUsage } from './export-usage.ts';
import { type UsageRow as Row, readUsage } from './read-usage.ts';
import {
  type UsageGroup as Group,
  type UsageQuery,
  usageGroups,
  usageQuery,
} from './usage-query.ts';
import './usage-services.ts';

const UsageGroup = builder.enumType('UsageGroup', {
  description: 'What usage is grouped by.',
  values: {
    DAY: { description: 'The day, in UTC.' },
    ASSISTANT: { description: 'The assistant that ran.' },
    USER: { description: 'The person who started the run.' },
    KEY: { description: 'The API key that was used.' },
    MODEL: { description: 'The model that answered.' },
  } satisfies Record<Group, object>,
});

const UsageRow = builder.objectRef<Row>('UsageRow').implement({
  description:
    'The usage of one combination of the values by which it is grouped. The other ones are null.',
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', nullable: true, description: 'The day, in UTC.' }),
    assistantId: t.exposeID('assistantId', {
      nullable: true,
      description: 'The id of the assistant, which may be deleted.',
    }),
    userId: t.exposeID('userId', {
      nullable: true,
      description: 'The id of the person; null for people whose account is deleted.',
    }),
    keyId: t.exposeID('keyId', {
      nullable: true,
      description: 'The id of the API key; null for runs of signed-in people.',
    }),
    model: t.exposeString('model', { nullable: true, description: 'The model that answered.' }),
    runs: t.expose('runs', {
      type: 'SafeInt',
      description: 'Runs whose first step ended in this time.',
    }),
    steps: t.expose('steps', {
      type: 'SafeInt',
      description: 'Steps: calls of the model, each with its tool calls.',
    }),
    promptTokens: t.expose('promptTokens', {
      type: 'SafeInt',
      description: 'Tokens that the models read; 0 where the provider does not count them.',
    }),
    completionTokens: t.expose('completionTokens', {
      type: 'SafeInt',
      description: 'Tokens that the models wrote, including reasoning and tool calls.',
    }),
    cachedTokens: t.expose('cachedTokens', {
      type: 'SafeInt',
      description: 'The part of `promptTokens` that the provider had in its cache.',
    }),
    embeddingTokens: t.expose('embeddingTokens', {
      type: 'SafeInt',
      description:
        'Tokens of the queries that a provider embedded for searches; 0 where the vault computes embeddings itself.',
    }),
    cost: t.expose('cost', {
      type: 'Decimal',
      nullable: true,
      description: 'What the steps cost whose models have a price; null if none has.',
    }),
    currency: t.string({
      nullable: true,
      description: 'The currency of the cost; null if this Atrium has no prices.',
      resolve: (_row, _args, { usage }) => usage.prices?.currency ?? null,
    }),
  }),
});

type UsageReport = Pick<UsageQuery, 'from' | 'until'> & { rows: Row[] };

const UsageReportType = builder.objectRef<UsageReport>('UsageReport').implement({
  description: 'The usage of a range of days.',
  fields: (t) => ({
    from: t.expose('from', { type: 'Date', description: 'The first day, in UTC.' }),
    until: t.expose('until', { type: 'Date', description: 'The day after the last one.' }),
    rows: t.field({
      type: [UsageRow],
      description:
        'A row for each combination that has usage, by day and then by the ids or the model.',
      cost: { listSize: { assumedSize: 366 } },
      resolve: ({ rows }) => rows,
    }),
  }),
});

const groupNames = new Map<string, Group>(usageGroups.map((name) => [name.toLowerCase(), name]));

/** REST separates the names with commas. */
const restGroups: RestForm = {
  parse: (value) =>
    String(value)
      .split(',')
      .map((name) => {
        const group = groupNames.get(name.trim());
        if (group === undefined)
          throw new InputFault(
            'UNKNOWN_VALUE',
            `must have names of ${[...groupNames.keys()].join(', ')}, separated by commas`,
          );
        return group;
      }),
  jsonSchema: {
    type: 'string',
    pattern: '^(day|assistant|user|key|model)(,(day|assistant|user|key|model))*$',
  },
};

const usageArgs = () =>
  builder.args((t) => ({
    from: t.field({
      type: 'Date',
      required: false,
      description: 'The first day, in UTC; without it, 30 days before `until`.',
    }),
    until: t.field({
      type: 'Date',
      required: false,
      description:
        'The day after the last one; without it, tomorrow. The range has at most 366 days, and 31 if it is grouped by more than one of assistant, user, key and model.',
    }),
    groupBy: t.field({
      type: [UsageGroup],
      required: false,
      extensions: { restForm: restGroups },
      description: 'What the rows are grouped by; without it, the day.',
    }),
  }));

const report = async (query: UsageQuery, context: Context): Promise<UsageReport> => ({
  from: query.from,
  until: query.until,
  rows: await readUsage(query, context),
});

const organizationOf = ({ viewer }: Context) => ({
  organizationId: memberOf(viewer).organizationId,
});

builder.queryFields((t) => ({
  usage: t.field({
    type: UsageReportType,
    description: 'What the runs of the organization have used.',
    args: usageArgs(),
    authScopes: { manages: usageReports },
    resolve: (_, args, context) =>
      report(usageQuery(args, organizationOf(context), context.clock()), context),
  }),
  myUsage: t.field({
    type: UsageReportType,
    description: 'What the runs of the viewer in the current organization have used.',
    args: usageArgs(),
    authScopes: { person: true },
    resolve: (_, args, context) => {
      const { organizationId, userId } = personOf(context.viewer);
      return report(usageQuery(args, { organizationId, userId }, context.clock()), context);
    },
  }),
}));

const UsageBatch = builder.objectRef<Row[]>('UsageBatch').implement({
  description: 'The next rows of an export.',
  fields: (t) => ({
    items: t.field({
      type: [UsageRow],
      description: 'Rows, in the order of `usage`.',
      cost: { listSize: sizedByParent },
      resolve: (rows) => rows,
    }),
  }),
});

builder.subscriptionField('usageExport', (t) =>
  t.field({
    type: UsageBatch,
    description: `All rows of \`usage\`, in batches of at most ${exportBatchMax}.`,
    args: usageArgs(),
    cost: { listSize: { assumedSize: exportBatchMax, sizedFields: ['items'] } },
    authScopes: { manages: usageReports },
    subscribe: async (_, args, context) => {
      const query = usageQuery(args, organizationOf(context), context.clock());
      return batches();

      async function* batches() {
        const { signal, stop } = watchAccess(context, { manages: usageReports });
        try {
          yield* exportUsage({ ...query, signal }, context);
        } finally {
          stop();
        }
      }
    },
    resolve: (rows) => rows,
  }),
);
