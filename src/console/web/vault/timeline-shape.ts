export type TimelinePoint = { atMs: number; value: number };
type TimelineFrame = { fromMs: number; untilMs: number; maximum: number };

/** The chart is drawn in these units and stretched to its container. */
export const chartWidth = 600;
export const chartHeight = 120;
/** The line is interrupted when this many sampling intervals are missing. */
const gapSteps = 4;

export const toX = (atMs: number, { fromMs, untilMs }: TimelineFrame): number =>
  ((Math.min(untilMs, Math.max(fromMs, atMs)) - fromMs) / (untilMs - fromMs)) * chartWidth;
const toY = (value: number, { maximum }: TimelineFrame): number =>
  chartHeight - (Math.min(value, maximum) / maximum) * chartHeight;

/** The next round number that is not below any value. */
export function roundMaximum(points: readonly TimelinePoint[]): number {
  const highest = Math.max(...points.map(({ value }) => value), 1);
  const power = 10 ** Math.floor(Math.log10(highest));
  return ([1, 2, 5, 10].find((step) => step * power >= highest) ?? 10) * power;
}

/** Splits the points into segments without gaps. */
export function splitAtGaps(points: readonly TimelinePoint[]): TimelinePoint[][] {
  const steps = points.slice(1).map(({ atMs }, index) => atMs - (points[index]?.atMs ?? atMs));
  const gapMs = Math.min(...steps) * gapSteps;
  const segments: TimelinePoint[][] = [];
  for (const point of points) {
    const last = segments.at(-1);
    const previous = last?.at(-1);
    if (last && previous && point.atMs - previous.atMs < gapMs) last.push(point);
    else segments.push([point]);
  }
  return segments;
}

/**
 * The SVG paths of a segment: the line, and the area below it. A single point becomes a short dash,
 * so that it is visible.
 */
export function segmentPaths(
  segment: readonly TimelinePoint[],
  frame: TimelineFrame,
): { line: string; area: string } {
  const coordinates = segment.map(({ atMs, value }) => ({
    x: toX(atMs, frame),
    y: toY(value, frame),
  }));
  const [first] = coordinates;
  if (!first) return { line: '', area: '' };
  const from = coordinates.length === 1 ? Math.min(first.x, chartWidth - dashWidth) : first.x;
  const drawnCoordinates =
    coordinates.length === 1
      ? [from, from + dashWidth].map((x) => ({ x, y: first.y }))
      : coordinates;
  const points = drawnCoordinates
    .map(({ x, y }) => `${roundToTenth(x)},${roundToTenth(y)}`)
    .join('L');
  return {
    line: `M${points}`,
    area: `M${roundToTenth(from)},${chartHeight}L${points}L${roundToTenth(drawnCoordinates.at(-1)?.x ?? from)},${chartHeight}Z`,
  };
}

const dashWidth = 12;
const roundToTenth = (value: number) => Math.round(value * 10) / 10;

/** The point nearest to a horizontal position between 0 and 1. */
export function nearestPoint(
  fraction: number,
  points: readonly TimelinePoint[],
  frame: TimelineFrame,
): TimelinePoint | undefined {
  const atMs = frame.fromMs + fraction * (frame.untilMs - frame.fromMs);
  return points.reduce<TimelinePoint | undefined>(
    (nearest, point) =>
      nearest && Math.abs(nearest.atMs - atMs) <= Math.abs(point.atMs - atMs) ? nearest : point,
    undefined,
  );
}
