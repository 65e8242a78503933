import { useMemo } from 'react';
import { useGraphQuery } from '../../graph/use-graph.ts';
import type { PlainKey } from '../../texts/catalogue.ts';
import { formatNumber } from '../../texts/format.ts';
import { t, withTexts } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { Chart } from '../../ui/charts/chart.tsx';
import { csvLines } from '../../ui/csv.ts';
import { SelectField } from '../../ui/fields.tsx';
import { Card, Figure, Figures, PageHead } from '../../ui/page.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { EmptyState, Loaded } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { useFilter } from '../../ui/use-filter.ts';
import { Budgets } from './budgets.tsx';
import { UsageDocument, type UsageGroup, type UsageQuery } from './documents.ts';
import { formatCost, formatDay, groupId, usageDays } from './usage-rows.ts';
import { useNames } from './use-names.ts';

type GroupRow = UsageQuery['groups']['rows'][number];

const periods = [
  { value: '7', label: 'usage.last7Days' },
  { value: '30', label: 'usage.last30Days' },
  { value: '90', label: 'usage.last90Days' },
  { value: '365', label: 'usage.last365Days' },
] as const;
const groups = [
  { value: 'USER', label: 'usage.byPerson', title: 'usage.person', column: 'Person' },
  { value: 'ASSISTANT', label: 'usage.byAssistant', title: 'usage.assistant', column: 'Assistant' },
  { value: 'MODEL', label: 'usage.byModel', title: 'usage.model', column: 'Model' },
  { value: 'KEY', label: 'usage.byKey', title: 'usage.key', column: 'Key' },
] as const satisfies readonly {
  value: Exclude<UsageGroup, 'DAY'>;
  label: PlainKey;
  title: PlainKey;
  /** The name of the column in the CSV file, which programs may read. */
  column: string;
}[];

/** What the runs of the organization have used, and the budgets that limit them. */
export function UsagePage() {
  const { filter, set } = useFilter(['days', 'group']);
  const period = periods.find(({ value }) => value === filter['days']) ?? periods[1];
  const group = groups.find(({ value }) => value === filter['group']) ?? groups[0];
  const title = t(group.title);
  const days = Number(period.value);
  const range = useMemo(() => usageDays(days, new Date()), [days]);
  const answer = useGraphQuery(
    UsageDocument,
    { from: range.from, until: range.until, group: group.value },
    { live: true },
  );
  const nameOf = useNames(
    group.value === 'MODEL' ? [] : (answer.data?.groups.rows ?? []).map(groupId),
  );
  const name = (row: GroupRow): string => {
    if (row.model !== null) return row.model;
    const id = groupId(row);
    if (id !== null) return nameOf(id, title);
    return group.value === 'KEY' ? t('usage.signedInPeople') : t('usage.deletedAccounts');
  };
  return (
    <>
      <PageHead title={t('usage.usage')} lead={t('usage.usageLead')} />
      <search className="toolbar">
        <SelectField
          label={t('usage.period')}
          options={withTexts(periods)}
          value={period.value}
          onValue={(value) => set('days', value === '30' ? '' : value)}
        />
        <SelectField
          label={t('usage.show')}
          options={withTexts(groups)}
          value={group.value}
          onValue={(value) => set('group', value === 'USER' ? '' : value)}
        />
      </search>
      <Loaded answer={answer} lines={10}>
        {({ days: perDay, groups: { rows } }) => (
          <>
            <Totals rows={perDay.rows} />
            <Card title={t('usage.tokensByDay')}>
              <Chart
                title={t('usage.tokensByDay')}
                pointTitle={t('usage.day')}
                isCount
                series={[
                  { key: 'promptTokens', label: t('usage.read'), colour: 4 },
                  { key: 'completionTokens', label: t('usage.written'), colour: 2 },
                ]}
                points={range.days.map((day) => {
                  const row = perDay.rows.find((each) => each.day === day);
                  const { promptTokens = 0, completionTokens = 0 } = row ?? {};
                  return {
                    key: day,
                    label: formatDay(day),
                    values: { promptTokens, completionTokens },
                  };
                })}
              />
            </Card>
            <Card
              title={t(group.label)}
              actions={
                rows.length > 0 && (
                  <Button icon="download" onClick={() => saveCsv(group.column, range, rows, name)}>
                    {t('usage.saveCsv')}
                  </Button>
                )
              }
            >
              {rows.length === 0 ? (
                <EmptyState title={t('usage.noUsage')} />
              ) : (
                <Table
                  caption={t('usage.usageCaption', { by: group.value })}
                  rows={rows.toSorted((one, other) => tokensOf(other) - tokensOf(one))}
                  keyOf={(row) => row.model ?? groupId(row) ?? 'none'}
                  columns={[
                    {
                      title,
                      cell: (row) => <strong>{name(row)}</strong>,
                    },
                    {
                      title: t('usage.answers'),
                      align: 'end',
                      cell: ({ runs }) => formatNumber(runs),
                    },
                    {
                      title: t('usage.tokensRead'),
                      align: 'end',
                      cell: ({ promptTokens }) => formatNumber(promptTokens),
                    },
                    {
                      title: t('usage.tokensWritten'),
                      align: 'end',
                      cell: ({ completionTokens }) => formatNumber(completionTokens),
                    },
                    { title: t('usage.cost'), align: 'end', cell: formatCost },
                  ]}
                />
              )}
            </Card>
          </>
        )}
      </Loaded>
      <Budgets />
    </>
  );
}

const tokensOf = ({ promptTokens, completionTokens }: GroupRow) => promptTokens + completionTokens;

function Totals({ rows }: { rows: UsageQuery['days']['rows'] }) {
  const sum = (value: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + value(row), 0);
  const [first] = rows;
  const hasCost = rows.some(({ cost }) => cost !== null);
  return (
    <Figures>
      <Figure label={t('usage.answers')} value={sum(({ runs }) => runs)} />
      <Figure label={t('usage.tokensRead')} value={sum(({ promptTokens }) => promptTokens)} />
      <Figure
        label={t('usage.tokensWritten')}
        value={sum(({ completionTokens }) => completionTokens)}
      />
      <Figure
        label={t('usage.cost')}
        value={formatCost({
          cost: hasCost ? sum(({ cost }) => cost ?? 0) : null,
          currency: first?.currency ?? null,
        })}
        hint={hasCost ? undefined : t('usage.noPrice')}
      />
    </Figures>
  );
}

function saveCsv(
  column: string,
  { from, until }: { from: string; until: string },
  rows: readonly GroupRow[],
  name: (row: GroupRow) => string,
): void {
  const header = ['From', 'Until', column, 'Id', 'Answers', 'Tokens read', 'Tokens written'];
  const lines = rows.map((row) => [
    ...[from, until, name(row), groupId(row), row.runs, row.promptTokens, row.completionTokens],
    ...[row.cost, row.currency],
  ]);
  saveFile(`usage-${column.toLowerCase()}-${from}.csv`, 'text/csv', [
    csvLines([[...header, 'Cost', 'Currency'], ...lines]),
  ]);
}
