import { type PointerEvent, useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Table } from '../ui/table.tsx';
import {
  height,
  nearestTo,
  type Point,
  pathsOf,
  stretchesOf,
  topOf,
  width,
  xOf,
} from './timeline-shape.ts';

type TimelineProps = {
  title: string;
  points: readonly Point[];
  fromMs: number;
  untilMs: number;
  format: (value: number) => string;
  /** What the upper edge stands for; a round number above all values where it is left out. */
  top?: number;
};

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/**
 * A figure over time as a line, its value under the pointer, and the same as a table for whoever
 * would rather read.
 */
export function Timeline({
  title,
  points,
  fromMs,
  untilMs,
  format,
  top = topOf(points),
}: TimelineProps) {
  const id = useId();
  const [isTable, setTable] = useState(false);
  const [pointed, setPointed] = useState<Point>();
  const frame = { fromMs, untilMs, top };
  const told = pointed ?? points.at(-1);
  const point = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width: shown } = currentTarget.getBoundingClientRect();
    setPointed(nearestTo((clientX - left) / shown, points, frame));
  };
  return (
    <figure className="vault-timeline" aria-labelledby={id}>
      <figcaption>
        <span id={id}>{title}</span>
        <span className="vault-told">
          {told && format(told.value)}{' '}
          <span className="hint">{told && clock.format(told.atMs)}</span>
        </span>
        <Button kind="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Table<span className="sr-only">: {title}</span>
        </Button>
      </figcaption>
      {isTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and who has no pointer scrolls it by keys
        <section className="vault-timeline-table" aria-label={`${title} as a table`} tabIndex={0}>
          <Table
            caption={title}
            rows={points.toReversed()}
            keyOf={({ atMs }) => String(atMs)}
            columns={[
              { title: 'Time', cell: ({ atMs }) => clock.format(atMs) },
              { title, align: 'end', cell: ({ value }) => format(value) },
            ]}
          />
        </section>
      ) : (
        <div
          className="vault-picture"
          onPointerMove={point}
          onPointerLeave={() => setPointed(undefined)}
        >
          <svg
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${title}. The button before it shows the same as a table.`}
          >
            {[0, 0.5, 1].map((part) => (
              <line
                key={part}
                className="vault-grid"
                x1="0"
                x2={width}
                y1={part * height}
                y2={part * height}
              />
            ))}
            {stretchesOf(points).map((stretch) => {
              const { line, area } = pathsOf(stretch, frame);
              return (
                <g key={stretch[0]?.atMs}>
                  <path className="vault-area" d={area} />
                  <path className="vault-line" d={line} />
                </g>
              );
            })}
            {pointed && (
              <line
                className="vault-pointed"
                x1={xOf(pointed.atMs, frame)}
                x2={xOf(pointed.atMs, frame)}
                y1="0"
                y2={height}
              />
            )}
          </svg>
          <span className="vault-top">{format(top)}</span>
          <span className="vault-from">{clock.format(fromMs)}</span>
          <span className="vault-until">now</span>
        </div>
      )}
    </figure>
  );
}
