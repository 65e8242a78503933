import { describe, expect, it } from 'vitest';
import {
  base32,
  matchingStep,
  newTotpSecret,
  totpCode,
  totpStep,
  totpUri,
} from '../../../../src/modules/accounts/second-factor/totp.ts';

// Appendix B of RFC 6238, the last six digits of its eight.
const secret = base32(Buffer.from('12345678901234567890'));

describe('codes of authenticator apps', () => {
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1234567890, '005924'],
    [20000000000, '353130'],
  ])('The code at %i seconds is that of RFC 6238', (seconds, code) => {
    expect(totpCode(secret, totpStep(new Date(seconds * 1000)))).toBe(code);
  });

  it('A code is accepted in its time step, the previous and the next one', () => {
    const at = new Date(1_700_000_000_000);
    const step = totpStep(at);
    for (const offset of [-1, 0, 1])
      expect(matchingStep(secret, totpCode(secret, step + offset), at)).toBe(step + offset);
    for (const offset of [-2, 2])
      expect(matchingStep(secret, totpCode(secret, step + offset), at)).toBeUndefined();
    for (const wrong of ['', '12345', `${totpCode(secret, step)}0`, 'ab±def'])
      expect(matchingStep(secret, wrong, at)).toBeUndefined();
  });

  it('The secret has 160 random bits and is in the URI of the QR code', () => {
    expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(newTotpSecret());
    expect(totpUri({ secret: 'ABC', account: 'a b@x.example', issuer: 'Atrium' })).toBe(
      'otpauth://totp/Atrium:a%20b%40x.example?secret=ABC&issuer=Atrium',
    );
  });
});
