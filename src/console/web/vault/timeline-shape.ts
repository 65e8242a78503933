export type Point = { atMs: number; value: number };
type Frame = { fromMs: number; untilMs: number; top: number };

/** The picture is drawn in these units and stretched to its place. */
export const width = 600;
export const height = 120;
/** Where nothing was sampled for so many steps, the line breaks. */
const stepsMissing = 4;

export const xOf = (atMs: number, { fromMs, untilMs }: Frame): number =>
  ((Math.min(untilMs, Math.max(fromMs, atMs)) - fromMs) / (untilMs - fromMs)) * width;
const yOf = (value: number, { top }: Frame): number =>
  height - (Math.min(value, top) / top) * height;

/** A round number that is not below any value. */
export function topOf(points: readonly Point[]): number {
  const most = Math.max(...points.map(({ value }) => value), 1);
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((step) => step * power >= most) ?? 10) * power;
}

/** The points in stretches without a gap. */
export function stretchesOf(points: readonly Point[]): Point[][] {
  const steps = points.slice(1).map(({ atMs }, index) => atMs - (points[index]?.atMs ?? atMs));
  const gapMs = Math.min(...steps) * stepsMissing;
  const stretches: Point[][] = [];
  for (const point of points) {
    const last = stretches.at(-1);
    const before = last?.at(-1);
    if (last && before && point.atMs - before.atMs < gapMs) last.push(point);
    else stretches.push([point]);
  }
  return stretches;
}

/**
 * The line over a stretch, and the area below it. A single point is a short dash, so that it can be
 * seen.
 */
export function pathsOf(stretch: readonly Point[], frame: Frame): { line: string; area: string } {
  const places = stretch.map(({ atMs, value }) => ({ x: xOf(atMs, frame), y: yOf(value, frame) }));
  const [first] = places;
  if (!first) return { line: '', area: '' };
  const from = places.length === 1 ? Math.min(first.x, width - dashWidth) : first.x;
  const drawn =
    places.length === 1 ? [from, from + dashWidth].map((x) => ({ x, y: first.y })) : places;
  const points = drawn.map(({ x, y }) => `${round(x)},${round(y)}`).join('L');
  return {
    line: `M${points}`,
    area: `M${round(from)},${height}L${points}L${round(drawn.at(-1)?.x ?? from)},${height}Z`,
  };
}

const dashWidth = 12;
const round = (value: number) => Math.round(value * 10) / 10;

/** The point that lies nearest to a place between 0 and 1. */
export function nearestTo(part: number, points: readonly Point[], frame: Frame): Point | undefined {
  const atMs = frame.fromMs + part * (frame.untilMs - frame.fromMs);
  return points.reduce<Point | undefined>(
    (best, point) =>
      best && Math.abs(best.atMs - atMs) <= Math.abs(point.atMs - atMs) ? best : point,
    undefined,
  );
}
