import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatNumber } from '../../texts/format.ts';
import type { ChartData, ChartPoint } from './chart-data.ts';

type BarsProps = Required<ChartData> & { direction: 'up' | 'across' };

const compact = { notation: 'compact', maximumFractionDigits: 1 } as const;
const nameWidthPx = 120;
const nameLengthMax = 18;
const ticksMax = 5;

/** The bars, drawn in the width of their container. */
export function Bars({ series, points, format, isCount, direction }: BarsProps) {
  const isUp = direction === 'up';
  const highest = Math.max(
    ...points.map(({ values }) => series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0)),
    1,
  );
  const nameAxis = {
    dataKey: 'label',
    type: 'category' as const,
    tickLine: false,
    stroke: 'var(--quiet)',
    fontSize: 12,
  };
  const valueAxis = {
    type: 'number' as const,
    tickLine: false,
    axisLine: false,
    stroke: 'var(--quiet)',
    fontSize: 12,
    tickFormatter: (value: number) => formatNumber(value, compact),
    allowDecimals: !isCount,
    ...(isCount ? { tickCount: Math.min(ticksMax, highest + 1) } : {}),
  };
  const shorten = (name: string) =>
    name.length > nameLengthMax ? `${name.slice(0, nameLengthMax - 1)}…` : name;
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={[...points]}
        layout={isUp ? 'horizontal' : 'vertical'}
        accessibilityLayer={false}
        margin={{ top: 8, right: 12, bottom: 0, left: 0 }}
      >
        <CartesianGrid stroke="var(--line)" vertical={!isUp} horizontal={isUp} />
        {isUp ? <XAxis {...nameAxis} minTickGap={16} /> : <XAxis {...valueAxis} />}
        {isUp ? (
          <YAxis {...valueAxis} width={48} />
        ) : (
          <YAxis {...nameAxis} width={nameWidthPx} tickFormatter={shorten} interval={0} />
        )}
        <Tooltip
          cursor={{ fill: 'var(--line)', opacity: 0.4 }}
          formatter={(value) => format(Number(value))}
          contentStyle={{
            background: 'var(--raised)',
            border: '1px solid var(--line)',
            borderRadius: 8,
            color: 'var(--text)',
          }}
          itemStyle={{ color: 'var(--text)' }}
          itemSorter={({ name }) => series.findIndex(({ label }) => label === name)}
          isAnimationActive={false}
        />
        {series.map(({ key, label, colour }) => (
          <Bar
            key={key}
            dataKey={({ values }: ChartPoint) => values[key] ?? 0}
            name={label}
            stackId="total"
            fill={`var(--chart-${colour})`}
            maxBarSize={36}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
