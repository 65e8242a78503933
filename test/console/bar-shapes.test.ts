import { expect, test } from 'vitest';
import {
  axisTicks,
  barPaths,
  pointsPerLabel,
  valueUnits,
} from '../../src/console/web/ui/charts/bar-shapes.ts';

const series = [
  { key: 'billed', label: 'Billed', colour: 1 },
  { key: 'open', label: 'Open', colour: 2 },
] as const;
const pointOf = (billed: number, open: number) => ({
  key: `${billed}-${open}`,
  label: 'a',
  values: { billed, open },
});
/** The rectangles of a path: x, y, width and height. */
const rectanglesOf = (path: string) =>
  [...path.matchAll(/M([\d.]+),([\d.]+)h([\d.]+)v([\d.]+)h-\3z/g)].map((match) =>
    match.slice(1).map(Number),
  );

test.each([
  [0, true, [0, 1]],
  [0, false, [0, 1]],
  [1, true, [0, 1]],
  [3, true, [0, 1, 2, 3]],
  [12, true, [0, 3, 6, 9, 12]],
  [1_000, true, [0, 200, 400, 600, 800, 1_000]],
  [1_001, false, [0, 300, 600, 900, 1_200]],
])('Up to %d (a count: %s) the axis shows %j', (highest, isCount, ticks) => {
  expect(axisTicks(highest, isCount)).toEqual(ticks);
});

test('Amounts below one have an axis of their own size, and whole numbers stay whole', () => {
  expect(axisTicks(0.9, false).at(-1)).toBeCloseTo(1);
  expect(axisTicks(0.9, false)).toHaveLength(6);
  for (let highest = 0; highest <= 3_000; highest += 7) {
    const ticks = axisTicks(highest, true);
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(ticks.every(Number.isInteger)).toBe(true);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest);
    expect(ticks.at(-2)).toBeLessThanOrEqual(highest);
  }
});

test('The bars of a series stand on those before, and end at the total', () => {
  const points = [...Array.from({ length: 9 }, () => pointOf(0, 0)), pointOf(30, 50)];
  const [billed = '', open = ''] = barPaths({ series, points, direction: 'up', maximum: 100 });
  expect(rectanglesOf(billed)).toEqual([[9.2, valueUnits - 30, 0.6, 30]]);
  expect(rectanglesOf(open)).toEqual([[9.2, valueUnits - 80, 0.6, 50]]);
});

test('Horizontal bars grow to the right, one below the other', () => {
  const points = Array.from({ length: 8 }, () => pointOf(1, 3));
  const [billed = '', open = ''] = barPaths({ series, points, direction: 'across', maximum: 4 });
  expect(rectanglesOf(billed).map(([x, , width]) => [x, width])).toEqual(points.map(() => [0, 25]));
  expect(rectanglesOf(open).map(([x, y, width]) => [x, y, width])).toEqual(
    points.map((_, index) => [25, index + 0.2, 75]),
  );
});

test('One bar is narrower than a bar among many', () => {
  const widthWith = (count: number) => {
    const points = Array.from({ length: count }, () => pointOf(1, 0));
    const [path = ''] = barPaths({ series, points, direction: 'up', maximum: 1 });
    return rectanglesOf(path)[0]?.[2] ?? 0;
  };
  expect(widthWith(1)).toBeLessThan(widthWith(4));
  expect(widthWith(8)).toBe(widthWith(30));
});

test('Labels are left out where they would touch each other, and until the width is known', () => {
  const labels = Array.from({ length: 12 }, () => 'Nov 2026');
  expect(pointsPerLabel(labels, 1_000)).toBe(1);
  const onPhone = pointsPerLabel(labels, 240);
  expect(onPhone).toBeGreaterThan(1);
  expect(Math.ceil(12 / onPhone) * 'Nov 2026'.length * 6).toBeLessThan(240);
  expect(pointsPerLabel(labels, 0)).toBe(12);
});
