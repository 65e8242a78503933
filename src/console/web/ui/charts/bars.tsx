import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { ChartData, Point } from './chart.tsx';

type BarsProps = Required<ChartData> & { direction: 'up' | 'across' };

const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const nameRoom = 120;
const nameMax = 18;
const ticksMax = 5;
const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The picture. It is drawn once as wide as its place is. */
export function Bars({ series, points, format, isCount, direction }: BarsProps) {
  const isUp = direction === 'up';
  const highest = Math.max(
    ...points.map(({ values }) => series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0)),
    1,
  );
  const names = {
    dataKey: 'label',
    type: 'category' as const,
    tickLine: false,
    stroke: 'var(--quiet)',
    fontSize: 12,
  };
  const amounts = {
    type: 'number' as const,
    tickLine: false,
    axisLine: false,
    stroke: 'var(--quiet)',
    fontSize: 12,
    tickFormatter: short.format,
    allowDecimals: !isCount,
    ...(isCount ? { tickCount: Math.min(ticksMax, highest + 1) } : {}),
  };
  const shorten = (name: string) =>
    name.length > nameMax ? `${name.slice(0, nameMax - 1)}…` : name;
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={[...points]}
        layout={isUp ? 'horizontal' : 'vertical'}
        accessibilityLayer={false}
        margin={{ top: 8, right: 12, bottom: 0, left: 0 }}
      >
        <CartesianGrid stroke="var(--line)" vertical={!isUp} horizontal={isUp} />
        {isUp ? <XAxis {...names} minTickGap={16} /> : <XAxis {...amounts} />}
        {isUp ? (
          <YAxis {...amounts} width={48} />
        ) : (
          <YAxis {...names} width={nameRoom} tickFormatter={shorten} interval={0} />
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
            dataKey={({ values }: Point) => values[key] ?? 0}
            name={label}
            stackId="together"
            fill={`var(--chart-${colour})`}
            maxBarSize={36}
            isAnimationActive={!isStill}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
