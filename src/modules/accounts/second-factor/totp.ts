import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const stepMs = 30_000;
const digits = 6;
/**
 * The clocks of phones differ, so the codes of the previous and the next step are accepted as well.
 */
const stepsAround = 1;

/** 160 bits, the length of the hash, as RFC 4226 recommends. */
export const newTotpSecret = (): string => base32(randomBytes(20));

/** Base 32 as in RFC 4648, without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => alphabet.charAt(Number.parseInt(group.padEnd(5, '0'), 2)))
    .join('');
}

function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The URI that an authenticator app reads from a QR code. */
export function totpUri({
  secret,
  account,
  issuer,
}: {
  secret: string;
  account: string;
  issuer: string;
}): string {
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${new URLSearchParams({ secret, issuer })}`;
}

/** The code of one time step (RFC 4226, RFC 6238). */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const value = mac.readUInt32BE(mac.readUInt8(mac.length - 1) & 15) & 0x7fffffff;
  return String(value % 10 ** digits).padStart(digits, '0');
}

export const totpStep = (at: Date): number => Math.floor(at.getTime() / stepMs);

/**
 * Returns the accepted time step that has this code. All steps are compared, so that the time
 * reveals nothing.
 */
export function matchingStep(secret: string, code: string, at: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const actual = Buffer.from(code);
  const now = totpStep(at);
  const steps = Array.from(
    { length: 2 * stepsAround + 1 },
    (_, index) => now - stepsAround + index,
  );
  return steps.filter((step) => timingSafeEqual(Buffer.from(totpCode(secret, step)), actual))[0];
}
