import { expect, it } from 'vitest';
import { retryAfterMsOf } from '../../src/platform/retry-after.ts';

it.each([
  ['120', 120_000],
  ['Wed, 06 May 2026 10:00:30 GMT', 30_000],
  ['99999999', 86_400_000],
  ['Wed, 06 May 2036 10:00:30 GMT', 86_400_000],
  ['Wed, 06 May 2020 10:00:30 GMT', undefined],
  ['0', undefined],
  ['-1', undefined],
  ['soon', undefined],
  [undefined, undefined],
  [null, undefined],
])('Retry-After: %s is %s milliseconds', (header, ms) => {
  expect(retryAfterMsOf(header, new Date('2026-05-06T10:00:00Z'))).toBe(ms);
});
