import { describe, expect, it } from 'vitest';
import { createReaderUsage } from '../../../src/vault/extract/reader-usage.ts';

describe('createReaderUsage', () => {
  it('While a tenant is alone, it is never a heavy user', () => {
    const usage = createReaderUsage(() => 0);
    for (let count = 0; count < 20; count += 1) expect(usage.begin('alone').isHeavy).toBe(false);
  });

  it('A tenant with another document in progress beside other tenants is a heavy user', () => {
    const usage = createReaderUsage(() => 0);
    const first = usage.begin('busy');
    expect(usage.begin('quiet').isHeavy).toBe(false);
    expect(first.isHeavy).toBe(false);
    expect(usage.begin('busy').isHeavy).toBe(true);
  });

  it('A tenant that sends one document after the other is no heavy user, however many it has sent', () => {
    const usage = createReaderUsage(() => 0);
    usage.begin('busy');
    for (let count = 0; count < 20; count += 1) {
      const { isHeavy, end } = usage.begin('quiet');
      expect(isHeavy).toBe(false);
      end();
      end();
    }
    expect(usage.begin('busy').isHeavy).toBe(true);
  });

  it('Another tenant counts for ten seconds after its last document', () => {
    let time = 0;
    const usage = createReaderUsage(() => time);
    usage.begin('quiet').end();
    usage.begin('busy');
    time = 10_000;
    expect(usage.begin('busy').isHeavy).toBe(true);
    time = 20_001;
    expect(usage.begin('busy').isHeavy).toBe(false);
  });

  it('A tenant that has used readers for seconds is a heavy user beside one that needs less', () => {
    let time = 0;
    const usage = createReaderUsage(() => time);
    const read = (tenant: string, ms: number) => {
      const { isHeavy, end } = usage.begin(tenant);
      time += ms;
      end();
      return isHeavy;
    };
    for (let count = 0; count < 5; count += 1) {
      expect(read('busy', 1_500)).toBe(count > 0);
      expect(read('quiet', 100)).toBe(false);
    }
    time += 30_000;
    expect(read('busy', 1_500)).toBe(false);
  });
});
