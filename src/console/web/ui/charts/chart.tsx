import { useId, useState } from 'react';
import { Button } from '../button.tsx';
import { Table } from '../table.tsx';
import { type Direction, totalOf } from './bar-shapes.ts';
import { Bars } from './bars.tsx';
import type { ChartData, ChartPoint } from './chart-data.ts';
import './charts.css';
import { formatNumber } from '../../texts/format.ts';
import { t } from '../../texts/text.ts';

type ChartProps = ChartData & {
  /** What the chart shows, for the table's caption and for screen readers. */
  title: string;
  /** The column title of the points: "Month", "Campaign". */
  pointTitle: string;
  /** Horizontal bars (`across`) for long names, vertical bars (`up`) for time. */
  direction?: Direction;
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
  const id = useId();
  const isEmpty = points.every((point) => totalOf(point, series) === 0);
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
        {/* A chart can become empty while its table is shown. */}
        {(isTable || !isEmpty) && (
          <Button
            kind={isTable ? 'plain' : 'quiet'}
            aria-label={t('ui.showChartAsTable', { title })}
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
          >
            {t('ui.showAsTable')}
          </Button>
        )}
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
                    cell: (point: ChartPoint) => format(totalOf(point, series)),
                  },
                ]
              : []),
          ]}
        />
      ) : isEmpty ? (
        <p className="chart-empty quiet">{t('ui.noData')}</p>
      ) : (
        <div
          className={`chart-picture chart-${direction}`}
          role="img"
          aria-label={t('ui.chartName', { title })}
        >
          <Bars {...{ series, points, format, isCount, direction }} />
        </div>
      )}
    </figure>
  );
}
