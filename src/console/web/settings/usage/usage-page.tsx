import { useMemo } from 'react';
import { useGraphQuery } from '../../graph/use-graph.ts';
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
import { formatCost, groupId, usageDays } from './usage-rows.ts';
import { useNames } from './use-names.ts';

type GroupRow = UsageQuery['groups']['rows'][number];

const periods = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 365 days' },
];
const groups: { value: Exclude<UsageGroup, 'DAY'>; label: string; title: string }[] = [
  { value: 'USER', label: 'By person', title: 'Person' },
  { value: 'ASSISTANT', label: 'By assistant', title: 'Assistant' },
  { value: 'MODEL', label: 'By model', title: 'Model' },
  { value: 'KEY', label: 'By key', title: 'Key' },
];

/** What the runs of the organization have used, and the budgets that limit them. */
export function UsagePage() {
  const { filter, set } = useFilter(['days', 'group']);
  const period = periods.find(({ value }) => value === filter['days']) ?? periods[1];
  const group = groups.find(({ value }) => value === filter['group']) ?? groups[0];
  const days = Number(period?.value ?? 30);
  const range = useMemo(() => usageDays(days, new Date()), [days]);
  const answer = useGraphQuery(
    UsageDocument,
    { from: range.from, until: range.until, group: group?.value ?? 'USER' },
    { live: true },
  );
  const nameOf = useNames(
    group?.value === 'MODEL' ? [] : (answer.data?.groups.rows ?? []).map(groupId),
  );
  const name = (row: GroupRow): string => {
    if (row.model !== null) return row.model;
    const id = groupId(row);
    if (id !== null) return nameOf(id, group?.title ?? '');
    return group?.value === 'KEY' ? 'Signed-in people' : 'Deleted accounts';
  };
  return (
    <>
      <PageHead
        title="Usage"
        lead="What the answers of all assistants have used, by days in UTC."
      />
      <search className="toolbar">
        <SelectField
          label="Period"
          options={periods}
          value={period?.value ?? ''}
          onValue={(value) => set('days', value === '30' ? '' : value)}
        />
        <SelectField
          label="Show"
          options={groups.map(({ value, label }) => ({ value, label }))}
          value={group?.value ?? ''}
          onValue={(value) => set('group', value === 'USER' ? '' : value)}
        />
      </search>
      <Loaded answer={answer} lines={10}>
        {({ days: perDay, groups: { rows } }) => (
          <>
            <Totals rows={perDay.rows} />
            <Card title="Tokens by day">
              <Chart
                title="Tokens by day"
                pointTitle="Day"
                isCount
                series={[
                  { key: 'promptTokens', label: 'Read', colour: 4 },
                  { key: 'completionTokens', label: 'Written', colour: 2 },
                ]}
                points={range.days.map((day) => {
                  const row = perDay.rows.find((each) => each.day === day);
                  const { promptTokens = 0, completionTokens = 0 } = row ?? {};
                  return { key: day, label: day, values: { promptTokens, completionTokens } };
                })}
              />
            </Card>
            <Card
              title={group?.label ?? ''}
              actions={
                rows.length > 0 && (
                  <Button
                    icon="download"
                    onClick={() => saveCsv(group?.title ?? '', range, rows, name)}
                  >
                    Save as CSV
                  </Button>
                )
              }
            >
              {rows.length === 0 ? (
                <EmptyState title="No usage in this period" />
              ) : (
                <Table
                  caption={`Usage ${group?.label.toLowerCase()}`}
                  rows={rows.toSorted((one, other) => tokensOf(other) - tokensOf(one))}
                  keyOf={(row) => row.model ?? groupId(row) ?? 'none'}
                  columns={[
                    {
                      title: group?.title ?? '',
                      cell: (row) => <strong>{name(row)}</strong>,
                    },
                    { title: 'Answers', align: 'end', cell: ({ runs }) => runs.toLocaleString() },
                    {
                      title: 'Tokens read',
                      align: 'end',
                      cell: ({ promptTokens }) => promptTokens.toLocaleString(),
                    },
                    {
                      title: 'Tokens written',
                      align: 'end',
                      cell: ({ completionTokens }) => completionTokens.toLocaleString(),
                    },
                    { title: 'Cost', align: 'end', cell: formatCost },
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
      <Figure label="Answers" value={sum(({ runs }) => runs)} />
      <Figure label="Tokens read" value={sum(({ promptTokens }) => promptTokens)} />
      <Figure label="Tokens written" value={sum(({ completionTokens }) => completionTokens)} />
      <Figure
        label="Cost"
        value={formatCost({
          cost: hasCost ? sum(({ cost }) => cost ?? 0) : null,
          currency: first?.currency ?? null,
        })}
        hint={hasCost ? undefined : 'no model has a price'}
      />
    </Figures>
  );
}

function saveCsv(
  title: string,
  { from, until }: { from: string; until: string },
  rows: readonly GroupRow[],
  name: (row: GroupRow) => string,
): void {
  const header = ['From', 'Until', title, 'Id', 'Answers', 'Tokens read', 'Tokens written'];
  const lines = rows.map((row) => [
    ...[from, until, name(row), groupId(row), row.runs, row.promptTokens, row.completionTokens],
    ...[row.cost, row.currency],
  ]);
  saveFile(`usage-${title.toLowerCase()}-${from}.csv`, 'text/csv', [
    csvLines([[...header, 'Cost', 'Currency'], ...lines]),
  ]);
}
