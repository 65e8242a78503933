import { expect, it } from 'vitest';
import { luminanceOf, textColorOn } from '../../src/console/web/ui/text-color.ts';

const contrastOf = (one: string, other: string) => {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};
const hex = (value: number) => value.toString(16).padStart(2, '0');

it('The contrast of black and white is 21, and that of grey #777777 on white is 4.48', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

it('Text on an accent colour has a contrast of at least 4.5, whichever colour is chosen', () => {
  const steps = Array.from({ length: 52 }, (_, index) => index * 5);
  let least = 21;
  for (const red of steps)
    for (const green of steps)
      for (const blue of steps) {
        const color = `#${hex(red)}${hex(green)}${hex(blue)}`;
        least = Math.min(least, contrastOf(color, textColorOn(color)));
      }
  expect(least).toBeGreaterThanOrEqual(4.5);
});
