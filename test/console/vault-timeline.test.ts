import { expect, test } from 'vitest';
import {
  height,
  nearestTo,
  pathsOf,
  stretchesOf,
  topOf,
  width,
  xOf,
} from '../../src/console/web/vault/timeline-shape.ts';

const minuteMs = 60_000;
const pointsAt = (...minutes: number[]) =>
  minutes.map((minute) => ({ atMs: minute * minuteMs, value: minute }));
const frame = { fromMs: 0, untilMs: 10 * minuteMs, top: 10 };

test.each([
  [0.2, 1],
  [1, 1],
  [1.1, 2],
  [3, 5],
  [51, 100],
  [1_200, 2_000],
])('the upper edge over %d is %d: round, and never below a value', (most, expected) => {
  expect(
    topOf([
      { atMs: 0, value: most / 2 },
      { atMs: 1, value: most },
    ]),
  ).toBe(expected);
});

test('the line breaks where samples are missing, and nowhere else', () => {
  const minutesOf = (...minutes: number[]) =>
    stretchesOf(pointsAt(...minutes)).map((stretch) => stretch.map(({ value }) => value));
  expect(minutesOf(0, 1, 2, 4, 5)).toEqual([[0, 1, 2, 4, 5]]);
  expect(minutesOf(0, 1, 2, 9, 10)).toEqual([
    [0, 1, 2],
    [9, 10],
  ]);
  // Disks are sampled every five minutes: that is no gap.
  expect(minutesOf(0, 5, 10)).toEqual([[0, 5, 10]]);
  expect(minutesOf(3)).toEqual([[3]]);
});

test('the picture spans its time and its height, and nothing is drawn outside of it', () => {
  const { line, area } = pathsOf([...pointsAt(0, 5), { atMs: 20 * minuteMs, value: 99 }], frame);
  expect(line).toBe(`M0,${height}L${width / 2},${height / 2}L${width},0`);
  expect(area).toBe(
    `M0,${height}L0,${height}L${width / 2},${height / 2}L${width},0L${width},${height}Z`,
  );
});

test('a single sample can be seen, at the right edge too', () => {
  for (const minute of [0, 10]) {
    const places = [...pathsOf(pointsAt(minute), frame).line.matchAll(/(\d+),(\d+)/g)].map(
      ([, x]) => Number(x),
    );
    expect(Math.max(...places) - Math.min(...places)).toBeGreaterThan(5);
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...places)).toBeLessThanOrEqual(width);
  }
});

test('under the pointer stands the sample that is nearest', () => {
  const points = pointsAt(0, 4, 10);
  expect([0, 0.3, 0.69, 0.71, 1].map((part) => nearestTo(part, points, frame)?.value)).toEqual([
    0, 4, 4, 10, 10,
  ]);
  expect(nearestTo(0.5, [], frame)).toBeUndefined();
  expect(xOf(5 * minuteMs, frame)).toBe(width / 2);
});
