import { afterEach, describe, expect, it, vi } from 'vitest';
import { jsonBytesMax, readJsonObject } from '../../src/platform/body.ts';

const json = { 'content-type': 'application/json' };
const post = (body: BodyInit, headers: Record<string, string> = json) => {
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
  return new Request('http://atrium.test', init);
};
const ofBytes = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;

describe('a JSON body', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('of one megabyte is read, and one byte more is refused', async () => {
    expect(Object.keys(await readJsonObject(post(ofBytes(jsonBytesMax))))).toEqual(['a']);
    await expect(readJsonObject(post(ofBytes(jsonBytesMax + 1)))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
  });

  it('is refused by its announced length before a byte of it is read', async () => {
    const untouched = new ReadableStream(
      { pull: () => Promise.reject(new Error('read')) },
      { highWaterMark: 0 },
    );
    await expect(
      readJsonObject(post(untouched, { ...json, 'content-length': String(jsonBytesMax + 1) })),
    ).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it.each([
    ['whose length is told', { ...json, 'content-length': '100' }],
    ['of any length', json],
  ])('%s that never ends is given up after 15 seconds', async (_, headers) => {
    vi.useFakeTimers();
    const unending = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
    });
    const outcome = expect(readJsonObject(post(unending, headers))).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
    });
    await vi.advanceTimersByTimeAsync(15_000);
    await outcome;
  });

  it.each([
    ['ends before the length that was told', '{"a":1}', { ...json, 'content-length': '100' }],
    ['is nothing of what was told', '', { ...json, 'content-length': '100' }],
    [
      'breaks off',
      new ReadableStream({ pull: (controller) => controller.error(new Error('left')) }),
      json,
    ],
    [
      'breaks off before the length that was told',
      new ReadableStream({ pull: (controller) => controller.error(new Error('left')) }),
      { ...json, 'content-length': '100' },
    ],
  ])('that %s is refused, not taken for an empty one', async (_, body, headers) => {
    await expect(readJsonObject(post(body, headers))).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: 'The body ended too early',
    });
  });
});
