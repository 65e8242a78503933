import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateKey, isWellFormedKey } from '../../../src/modules/api-keys/key-format.ts';

describe('the format of a key', () => {
  it('A key has a prefix, 32 random characters and 6 checksum characters in base 62', () => {
    expect(generateKey('USER').key).toMatch(/^sk_svc_[0-9A-Za-z]{38}$/);
    expect(generateKey('ORGANIZATION').key).toMatch(/^sk_svc_um_[0-9A-Za-z]{38}$/);
  });

  it('A key is stored as a hash, with its prefix and its last four characters', () => {
    const { key, ...stored } = generateKey('ORGANIZATION');
    expect(stored).toEqual({
      hash: expect.any(Uint8Array),
      prefix: 'sk_svc_um_',
      lastFour: key.slice(-4),
    });
    expect(stored.hash).toHaveLength(32);
    expect(Buffer.from(stored.hash).toString('latin1')).not.toContain(key.slice(10, 20));
  });

  it('A key with one character changed, removed or doubled fails the checksum', () => {
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

  it('The random part of a key uses the entire alphabet', () => {
    const characters = new Set(
      Array.from({ length: 200 }, () => generateKey('USER').key.slice(7, 39)).join(''),
    );
    expect(characters.size).toBe(62);
  });
});
