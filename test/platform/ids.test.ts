import { describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';

describe('newId', () => {
  it('an id is a version 7 UUID that contains its time', () => {
    const at = Date.parse('2026-11-21T12:34:56.789Z');
    const id = newId(at);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(at);
  });

  it('an id of a later millisecond sorts after earlier ones', () => {
    const ids = Array.from({ length: 1000 }, (_, index) => newId(1_700_000_000_000 + index));
    expect(ids.toSorted()).toEqual(ids);
  });

  it('ids of the same millisecond sort in the order in which they were made', () => {
    const now = Date.now();
    // A clock may have been ahead.
    for (let index = 0; index < 3_000; index += 1) newId(now + 86_400_000);
    for (let later = 1; later <= 20; later += 1) {
      const at = now + later;
      const ids = Array.from({ length: 1_000 }, (_, index) => {
        // Another request that began earlier makes ids meanwhile.
        if (index % 7 === 0) newId(at - 1);
        return newId(at);
      });
      expect(ids.toSorted()).toEqual(ids);
    }
  });

  it('ten thousand ids of the same millisecond are distinct', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId(0))).size).toBe(10_000);
  });
});
