import { randomBytes, randomInt } from 'node:crypto';

const countBits = 12;
const countMax = 2 ** countBits;
const restartFrom = countMax / 2;
/**
 * A request makes its ids with the time at which it began, so times go back by as long as requests
 * take. A time that is further back means that the clock was ahead.
 */
const backwardMsMax = 1_000;
let latestMs = 0;
let count = randomInt(restartFrom);

/**
 * A version 7 UUID (RFC 9562). It starts with the time, so new rows are appended at the end of an
 * index. Ids that a process makes for the same millisecond sort in the order of their making
 * (method 1 of section 6.2), up to two thousand of them.
 */
export function newId(now: number = Date.now()): string {
  if (now > latestMs || now < latestMs - backwardMsMax) {
    latestMs = now;
    // Leaves room for the ids of this millisecond.
    if (count >= restartFrom) count = randomInt(restartFrom);
  }
  count = (count + 1) % countMax;
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt16BE(0x7000 | count, 6);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
