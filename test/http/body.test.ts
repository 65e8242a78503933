import { afterEach, describe, expect, it, vi } from 'vitest';
import { jsonBytesMax, readJsonObject } from '../../src/http/body.ts';

const json = { 'content-type': 'application/json' };
const post = (body: BodyInit, headers: Record<string, string> = json) => {
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
  return new Request('http://atrium.test', init);
};
const jsonOfSize = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;

describe('a JSON body', () => {
  it('an empty body in chunks needs no content type, like one with Content-Length: 0', async () => {
    const chunked = { 'transfer-encoding': 'chunked' };
    expect(
      await readJsonObject(post(new ReadableStream({ start: (c) => c.close() }), chunked)),
    ).toEqual({});
    await expect(readJsonObject(post('{}', chunked))).rejects.toMatchObject({
      code: 'UNSUPPORTED_MEDIA_TYPE',
    });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('a JSON body of one megabyte is read, and a body with one more byte is rejected', async () => {
    expect(Object.keys(await readJsonObject(post(jsonOfSize(jsonBytesMax))))).toEqual(['a']);
    await expect(readJsonObject(post(jsonOfSize(jsonBytesMax + 1)))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
  });

  it('a JSON body whose announced length is too large is rejected before any byte is read', async () => {
    const untouched = new ReadableStream(
      { pull: () => Promise.reject(new Error('read')) },
      { highWaterMark: 0 },
    );
    await expect(
      readJsonObject(post(untouched, { ...json, 'content-length': String(jsonBytesMax + 1) })),
    ).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it.each([
    ['with a known length', { ...json, 'content-length': '100' }],
    ['with an unknown length', json],
  ])('a JSON body %s that never ends is rejected after 15 seconds', async (_, headers) => {
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
    ['ends before its announced length', '{"a":1}', { ...json, 'content-length': '100' }],
    ['is empty despite its announced length', '', { ...json, 'content-length': '100' }],
    [
      'fails',
      new ReadableStream({ pull: (controller) => controller.error(new Error('left')) }),
      json,
    ],
    [
      'fails before its announced length',
      new ReadableStream({ pull: (controller) => controller.error(new Error('left')) }),
      { ...json, 'content-length': '100' },
    ],
  ])('a JSON body that %s is rejected and does not count as empty', async (_, body, headers) => {
    await expect(readJsonObject(post(body, headers))).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: 'The body ended too early',
    });
  });
});
