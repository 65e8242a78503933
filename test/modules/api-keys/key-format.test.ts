import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateKey, isWellFormedKey } from '../../../src/modules/api-keys/key-format.ts';

describe('a key', () => {
  it('D12: is its prefix, 32 random and 6 checking characters of base62', () => {
    expect(generateKey('USER').key).toMatch(/^sk_svc_[0-9A-Za-z]{38}$/);
    expect(generateKey('ORGANIZATION').key).toMatch(/^sk_svc_um_[0-9A-Za-z]{38}$/);
  });

  it('D12: is kept as a hash, with what shows which one it is', () => {
    const { key, ...stored } = generateKey('ORGANIZATION');
    expect(stored).toEqual({
      hash: expect.any(Uint8Array),
      prefix: 'sk_svc_um_',
      lastFour: key.slice(-4),
    });
    expect(stored.hash).toHaveLength(32);
    expect(Buffer.from(stored.hash).toString('latin1')).not.toContain(key.slice(10, 20));
  });

  it('D12: with any one character changed, left out or doubled is told to be mistyped', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('USER' as const, 'ORGANIZATION' as const),
        fc.nat(),
        fc.constantFrom('0', 'a', 'Z', '_', '-', ' '),
        (kind, place, other) => {
          const { key } = generateKey(kind);
          const at = place % key.length;
          expect(isWellFormedKey(key)).toBe(true);
          if (key[at] !== other)
            expect(isWellFormedKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
          expect(isWellFormedKey(key.slice(0, at) + key.slice(at + 1))).toBe(false);
          expect(isWellFormedKey(key.slice(0, at) + key[at] + key.slice(at))).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('spreads over the whole alphabet', () => {
    const seen = new Set(
      Array.from({ length: 200 }, () => generateKey('USER').key.slice(7, 39)).join(''),
    );
    expect(seen.size).toBe(62);
  });
});
