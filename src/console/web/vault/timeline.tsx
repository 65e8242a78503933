import { type PointerEvent, useId, useState } from 'react';
import { formatDate } from '../texts/format.ts';
import { t } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Table } from '../ui/table.tsx';
import {
  chartHeight,
  chartWidth,
  nearestPoint,
  roundMaximum,
  segmentPaths,
  splitAtGaps,
  type TimelinePoint,
  toX,
} from './timeline-shape.ts';

type TimelineProps = {
  title: string;
  points: readonly TimelinePoint[];
  fromMs: number;
  untilMs: number;
  format: (value: number) => string;
  /** The value at the upper edge; by default the next round number above all values. */
  maximum?: number;
};

const clockTime = (at: number) => formatDate(new Date(at), { hour: '2-digit', minute: '2-digit' });

/**
 * A line chart of a figure over time. It shows the value under the pointer, and can be shown as a
 * table.
 */
export function Timeline({
  title,
  points,
  fromMs,
  untilMs,
  format,
  maximum = roundMaximum(points),
}: TimelineProps) {
  const id = useId();
  const [isTable, setTable] = useState(false);
  const [pointedPoint, setPointedPoint] = useState<TimelinePoint>();
  const frame = { fromMs, untilMs, maximum };
  const tableName = t('vault.asTable', { title });
  const shownPoint = pointedPoint ?? points.at(-1);
  const trackPointer = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width: elementWidth } = currentTarget.getBoundingClientRect();
    setPointedPoint(nearestPoint((clientX - left) / elementWidth, points, frame));
  };
  return (
    <figure className="vault-timeline" aria-labelledby={id}>
      <figcaption className="row">
        <span id={id}>{title}</span>
        <span className="vault-value">
          {shownPoint && format(shownPoint.value)}{' '}
          <span className="hint">{shownPoint && clockTime(shownPoint.atMs)}</span>
        </span>
        <Button
          subject={`: ${title}`}
          kind="quiet"
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          {t('vault.table')}
        </Button>
      </figcaption>
      {isTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        <section className="vault-timeline-table" aria-label={tableName} tabIndex={0}>
          <Table
            caption={title}
            rows={points.toReversed()}
            keyOf={({ atMs }) => String(atMs)}
            columns={[
              { title: t('vault.time'), cell: ({ atMs }) => clockTime(atMs) },
              { title, align: 'end', cell: ({ value }) => format(value) },
            ]}
          />
        </section>
      ) : (
        <div
          className="vault-picture"
          onPointerMove={trackPointer}
          onPointerLeave={() => setPointedPoint(undefined)}
        >
          <svg
            viewBox={`0 0 ${chartWidth} ${chartHeight}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={t('ui.chartName', { title })}
          >
            {[0, 0.5, 1].map((fraction) => (
              <line
                key={fraction}
                className="vault-grid"
                x1="0"
                x2={chartWidth}
                y1={fraction * chartHeight}
                y2={fraction * chartHeight}
              />
            ))}
            {splitAtGaps(points).map((segment) => {
              const { line, area } = segmentPaths(segment, frame);
              return (
                <g key={segment[0]?.atMs}>
                  <path className="vault-area" d={area} />
                  <path className="vault-line" d={line} />
                </g>
              );
            })}
            {pointedPoint && (
              <line
                className="vault-pointed"
                x1={toX(pointedPoint.atMs, frame)}
                x2={toX(pointedPoint.atMs, frame)}
                y1="0"
                y2={chartHeight}
              />
            )}
          </svg>
          <span className="vault-top">{format(maximum)}</span>
          <span className="vault-from">{clockTime(fromMs)}</span>
          <span className="vault-until">{t('vault.now')}</span>
        </div>
      )}
    </figure>
  );
}
