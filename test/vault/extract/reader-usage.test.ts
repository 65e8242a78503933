import { describe, expect, it } from 'vitest';
import { createReaderUsage } from '../../../src/vault/extract/reader-usage.ts';

describe('createReaderUsage', () => {
  it('A tenant is not dominant while it is alone', () => {
    const usage = createReaderUsage(() => 0);
    for (let count = 0; count < 20; count += 1) expect(usage.count('alone')).toBe(false);
  });

  it('A tenant with more than half of the latest documents is dominant, and the others are not', () => {
    const usage = createReaderUsage(() => 0);
    for (let count = 0; count < 10; count += 1) usage.count('busy');
    expect(usage.count('quiet')).toBe(false);
    expect(usage.count('busy')).toBe(true);
    expect(usage.count('quiet')).toBe(false);
  });

  it('Two tenants with equally many documents are not dominant', () => {
    const usage = createReaderUsage(() => 0);
    usage.count('one');
    expect([usage.count('other'), usage.count('one'), usage.count('other')]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('Documents older than ten seconds do not count', () => {
    let time = 0;
    const usage = createReaderUsage(() => time);
    for (let count = 0; count < 10; count += 1) usage.count('busy');
    usage.count('quiet');
    time = 10_000;
    expect(usage.count('busy')).toBe(false);
  });
});
