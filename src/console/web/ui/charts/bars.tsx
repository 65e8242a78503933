import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { formatNumber } from '../../texts/format.ts';
import {
  axisTicks,
  barPaths,
  type Direction,
  pointsPerLabel,
  totalOf,
  valueUnits,
} from './bar-shapes.ts';
import type { ChartData, ChartPoint, ChartSeries } from './chart-data.ts';

type BarsProps = Required<ChartData> & { direction: Direction };

const compact = { notation: 'compact', maximumFractionDigits: 1 } as const;
const percent = (share: number) => `${Math.round(share * 10_000) / 100}%`;

/**
 * Stacked bars in the size of their container, with the values of the point under the pointer. One
 * element for all bars of a series, so that a phone draws them in a few milliseconds.
 */
export function Bars({ series, points, format, isCount, direction }: BarsProps) {
  const plot = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(plot);
  const [pointedIndex, setPointedIndex] = useState<number>();
  const isUp = direction === 'up';
  const ticks = axisTicks(Math.max(...points.map((point) => totalOf(point, series))), isCount);
  const maximum = ticks.at(-1) ?? 1;
  const labelEvery = isUp
    ? pointsPerLabel(
        points.map(({ label }) => label),
        widthPx,
      )
    : 1;
  const pointAxis = isUp ? 'left' : 'top';
  const centreOf = (index: number) => (index + 0.5) / points.length;
  const pointed = pointedIndex === undefined ? undefined : points[pointedIndex];
  const trackPointer = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const fraction = isUp ? (clientX - left) / width : (clientY - top) / height;
    setPointedIndex(Math.floor(fraction * points.length));
  };
  return (
    <div className={`bars bars-${direction}`}>
      <div
        ref={plot}
        className="bars-plot"
        onPointerMove={trackPointer}
        onPointerLeave={() => setPointedIndex(undefined)}
      >
        {ticks.map((tick) => (
          <span
            key={tick}
            className="bars-tick"
            style={{ [isUp ? 'bottom' : 'left']: percent(tick / maximum) }}
          >
            <span>{formatNumber(tick, compact)}</span>
          </span>
        ))}
        <svg
          viewBox={
            isUp ? `0 0 ${points.length} ${valueUnits}` : `0 0 ${valueUnits} ${points.length}`
          }
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {pointedIndex !== undefined && (
            <rect
              className="bars-pointed"
              {...(isUp
                ? { x: pointedIndex, y: 0, width: 1, height: valueUnits }
                : { x: 0, y: pointedIndex, width: valueUnits, height: 1 })}
            />
          )}
          {barPaths({ series, points, direction, maximum }).map((path, index) => (
            <path key={series[index]?.key} className={`bars-${series[index]?.colour}`} d={path} />
          ))}
        </svg>
        {points.map(({ key, label }, index) =>
          index % labelEvery === 0 ? (
            <span
              key={key}
              className="bars-label"
              style={{ [pointAxis]: percent(centreOf(index)) }}
              title={isUp ? undefined : label}
            >
              {label}
            </span>
          ) : null,
        )}
        {pointed && (
          <PointValues
            {...{ point: pointed, series, format, pointAxis }}
            position={centreOf(pointedIndex ?? 0)}
          />
        )}
      </div>
    </div>
  );
}

type PointValuesProps = {
  point: ChartPoint;
  series: readonly ChartSeries[];
  format: (value: number) => string;
  pointAxis: 'left' | 'top';
  position: number;
};

/** Stays inside the chart: at its start it begins at the position, at its end it ends there. */
function PointValues({ point, series, format, pointAxis, position }: PointValuesProps) {
  const axis = pointAxis === 'left' ? 'X' : 'Y';
  return (
    <div
      className="bars-values"
      style={{
        [pointAxis]: percent(position),
        transform: `translate${axis}(${percent(-position)})`,
      }}
    >
      <strong>{point.label}</strong>
      <ul className="plain-list">
        {series.map(({ key, label, colour }) => (
          <li key={key} className="spread">
            <span>
              <span className={`legend-mark chart-mark-${colour}`} />
              {label}
            </span>
            <span>{format(point.values[key] ?? 0)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
