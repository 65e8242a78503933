import { useId, useState } from 'react';
import { Button } from '../button.tsx';
import { Loading } from '../status.tsx';
import { Table } from '../table.tsx';
import type { ChartData, ChartPoint } from './chart-data.ts';
import { useBars } from './use-bars.ts';
import './charts.css';
import { formatNumber } from '../../texts/format.ts';
import { t } from '../../texts/text.ts';

type ChartProps = ChartData & {
  /** What the chart shows, for the table's caption and for screen readers. */
  title: string;
  /** The column title of the points: "Month", "Campaign". */
  pointTitle: string;
  /** Horizontal bars (`across`) for long names, vertical bars (`up`) for time. */
  direction?: 'up' | 'across';
};

/** A stacked bar chart, which can also be shown as a table. */
export function Chart({
  title,
  pointTitle,
  series,
  points,
  format = formatNumber,
  isCount = false,
  direction = 'up',
}: ChartProps) {
  const [isTable, setTable] = useState(false);
  const Bars = useBars();
  const id = useId();
  const totalOf = ({ values }: ChartPoint) =>
    series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0);
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption className="chart-head spread">
        <span id={id} className="sr-only">
          {title}
        </span>
        <ul className="chart-legend row plain-list" aria-hidden={isTable}>
          {series.map(({ key, label, colour }) => (
            <li key={key}>
              <span className={`legend-mark chart-mark-${colour}`} />
              {label}
            </li>
          ))}
        </ul>
        <Button
          kind={isTable ? 'plain' : 'quiet'}
          aria-label={t('ui.showChartAsTable', { title })}
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          {t('ui.showAsTable')}
        </Button>
      </figcaption>
      {isTable ? (
        <Table
          caption={title}
          rows={points}
          keyOf={({ key }) => key}
          columns={[
            { title: pointTitle, cell: ({ label }) => label },
            ...series.map(({ key, label }) => ({
              title: label,
              align: 'end' as const,
              cell: ({ values }: ChartPoint) => format(values[key] ?? 0),
            })),
            ...(series.length > 1
              ? [
                  {
                    title: t('ui.total'),
                    align: 'end' as const,
                    cell: (point: ChartPoint) => format(totalOf(point)),
                  },
                ]
              : []),
          ]}
        />
      ) : points.every((point) => totalOf(point) === 0) ? (
        <p className="chart-empty quiet">{t('ui.noData')}</p>
      ) : (
        <div
          className={`chart-picture chart-${direction}`}
          role="img"
          aria-label={t('ui.chartName', { title })}
        >
          {Bars ? (
            <Bars {...{ series, points, format, isCount, direction }} />
          ) : (
            <Loading lines={5} />
          )}
        </div>
      )}
    </figure>
  );
}
