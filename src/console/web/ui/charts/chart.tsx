import { lazy, Suspense, useId, useState } from 'react';
import { Button } from '../button.tsx';
import { Loading } from '../loading.tsx';
import { Table } from '../table.tsx';
import './charts.css';

/**
 * One of the amounts that stand at each point; the colours are those of the page, light and dark.
 */
export type Series = { key: string; label: string; colour: 1 | 2 | 3 | 4 };
export type Point = { key: string; label: string; values: Readonly<Record<string, number>> };

export type ChartData = {
  series: readonly Series[];
  points: readonly Point[];
  /** How an amount is written. */
  format?: (value: number) => string;
  /** Of what can only be counted, no axis shows a half. */
  isCount?: boolean;
};

type ChartProps = ChartData & {
  /** What is shown, for the table and for who can not see the picture. */
  title: string;
  /** What a point is: "Month", "Campaign". */
  pointTitle: string;
  /** Across for long names, up for time. */
  direction?: 'up' | 'across';
};

// The library is larger than the rest of the page: it comes when the first chart is shown.
const Bars = lazy(async () => ({ default: (await import('./bars.tsx')).Bars }));

const plain = (value: number) => value.toLocaleString();

/** Stacked bars, and the same as a table for whoever would rather read. */
export function Chart({
  title,
  pointTitle,
  series,
  points,
  format = plain,
  isCount = false,
  direction = 'up',
}: ChartProps) {
  const [isTable, setTable] = useState(false);
  const id = useId();
  const sumOf = ({ values }: Point) => series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0);
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption className="chart-head">
        <span id={id} className="sr-only">
          {title}
        </span>
        <ul className="chart-legend" aria-hidden={isTable}>
          {series.map(({ key, label, colour }) => (
            <li key={key}>
              <span className={`chart-mark chart-mark-${colour}`} />
              {label}
            </li>
          ))}
        </ul>
        <Button
          kind={isTable ? 'plain' : 'quiet'}
          aria-label={`Show as table: ${title}`}
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          Show as table
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
              cell: ({ values }: Point) => format(values[key] ?? 0),
            })),
            ...(series.length > 1
              ? [
                  {
                    title: 'Together',
                    align: 'end' as const,
                    cell: (point: Point) => format(sumOf(point)),
                  },
                ]
              : []),
          ]}
        />
      ) : points.every((point) => sumOf(point) === 0) ? (
        <p className="chart-empty quiet">There is nothing to show yet.</p>
      ) : (
        <div
          className={`chart-picture chart-${direction}`}
          role="img"
          aria-label={`${title}. The button before it shows the same as a table.`}
        >
          <Suspense fallback={<Loading lines={5} />}>
            <Bars
              series={series}
              points={points}
              format={format}
              isCount={isCount}
              direction={direction}
            />
          </Suspense>
        </div>
      )}
    </figure>
  );
}
