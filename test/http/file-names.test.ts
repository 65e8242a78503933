import { afterEach, expect, it, vi } from 'vitest';
import { sanitizeFileName } from '../../src/http/upload.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

// Normalizing combining marks takes quadratic time, and one request can name a hundred files.
it('only the beginning and the end of a very long file name are normalized, and its extension is kept', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const name = sanitizeFileName(`${'a\u0301\u0316'.repeat(300_000)}.txt`);
  expect(normalize.mock.contexts.map((text) => String(text).length)).toEqual([2_000]);
  expect([...name].length).toBeLessThanOrEqual(255);
  expect(name).toMatch(/^á.*\.txt$/u);
});
