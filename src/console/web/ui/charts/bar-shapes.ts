import type { ChartPoint, ChartSeries } from './chart-data.ts';

export type Direction = 'up' | 'across';
type BarChart = {
  series: readonly ChartSeries[];
  points: readonly ChartPoint[];
  direction: Direction;
  /** The value at the end of the value axis. */
  maximum: number;
};

/** The values are drawn in this many units, the points in one unit each. */
export const valueUnits = 100;
/** How much of its unit a bar takes. A few bars are not as wide as the page. */
const barShare = 0.6;
const pointsForFullBars = 8;
const intervalsMax = 5;

/** The total of the values of a point. */
export const totalOf = ({ values }: ChartPoint, series: readonly ChartSeries[]): number =>
  series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0);

/** Round values from 0 to the first that is not below the highest value. */
export function axisTicks(highest: number, isCount: boolean): number[] {
  const smallestStep = highest > 0 ? highest / intervalsMax : 1;
  const power = 10 ** Math.floor(Math.log10(smallestStep));
  const roundStep = ([1, 2, 3, 5].find((digit) => digit * power >= smallestStep) ?? 10) * power;
  const step = isCount ? Math.max(1, roundStep) : roundStep;
  const intervals = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: intervals + 1 }, (_, index) => index * step);
}

/** The SVG path of all bars of each series, stacked on those of the series before. */
export function barPaths({ series, points, direction, maximum }: BarChart): string[] {
  const size = barShare * Math.min(1, points.length / pointsForFullBars);
  const bases = points.map(() => 0);
  return series.map(({ key }) =>
    points
      .map(({ values }, index) => {
        const length = ((values[key] ?? 0) / maximum) * valueUnits;
        const base = bases[index] ?? 0;
        bases[index] = base + length;
        if (length === 0) return '';
        const side = round(index + (1 - size) / 2);
        return direction === 'up'
          ? rectangle(side, round(valueUnits - base - length), round(size), round(length))
          : rectangle(round(base), side, round(length), round(size));
      })
      .join(''),
  );
}

const rectangle = (x: number, y: number, width: number, height: number) =>
  `M${x},${y}h${width}v${height}h${-width}z`;
const round = (value: number) => Math.round(value * 1000) / 1000;

/** So many points share one label that the labels do not touch each other. */
export function pointsPerLabel(labels: readonly string[], widthPx: number): number {
  const longest = Math.max(...labels.map(({ length }) => length));
  const labelWidthPx = longest * characterWidthPx + labelGapPx;
  return widthPx > 0 ? Math.ceil((labelWidthPx * labels.length) / widthPx) : labels.length;
}

const characterWidthPx = 6.5;
const labelGapPx = 16;
