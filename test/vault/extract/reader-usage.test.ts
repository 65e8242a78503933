import { describe, expect, it } from 'vitest';
import { createReaderUsage } from '../../../src/vault/extract/reader-usage.ts';

describe('createReaderUsage', () => {
  it('While a tenant is alone, none of its documents counts as repeated', () => {
    const usage = createReaderUsage(() => 0);
    for (let count = 0; count < 20; count += 1) expect(usage.begin('alone').isRepeated).toBe(false);
  });

  it('A document is repeated if its tenant has another one in progress beside other tenants', () => {
    const usage = createReaderUsage(() => 0);
    const first = usage.begin('busy');
    expect(usage.begin('quiet').isRepeated).toBe(false);
    expect(first.isRepeated).toBe(false);
    expect(usage.begin('busy').isRepeated).toBe(true);
  });

  it('A tenant that sends one document after the other is never repeated, however many it has sent', () => {
    const usage = createReaderUsage(() => 0);
    usage.begin('busy');
    for (let count = 0; count < 20; count += 1) {
      const { isRepeated, end } = usage.begin('quiet');
      expect(isRepeated).toBe(false);
      end();
      end();
    }
    expect(usage.begin('busy').isRepeated).toBe(true);
  });

  it('Another tenant counts for ten seconds after its last document', () => {
    let time = 0;
    const usage = createReaderUsage(() => time);
    usage.begin('quiet').end();
    usage.begin('busy');
    time = 10_000;
    expect(usage.begin('busy').isRepeated).toBe(true);
    time = 20_001;
    expect(usage.begin('busy').isRepeated).toBe(false);
  });
});
