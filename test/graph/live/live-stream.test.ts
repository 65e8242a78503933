import { expect, it } from 'vitest';
import { createLiveStream } from '../../../src/graph/live/live-stream.ts';

function openStream() {
  const controller = new AbortController();
  let left = 0;
  const { reader, respond } = createLiveStream({
    signal: controller.signal,
    toErrorText: ({ message }) => JSON.stringify({ errors: [{ message }] }),
  });
  const leave = () => {
    left += 1;
  };
  return { reader, respond: () => respond({}, leave), left: () => left, controller };
}

it('A client that does not read gets the newest result afterwards, and none in between', async () => {
  const { reader, respond, left } = openStream();
  reader.show('0');
  const response = respond();
  for (let result = 1; result <= 10_000; result += 1) {
    reader.show(String(result));
    await Promise.resolve();
  }
  reader.end();
  const results = (await response.text()).match(/(?<=data: )\d+/g) ?? [];
  expect(results.length).toBeLessThan(5);
  expect(results.at(-1)).toBe('10000');
  expect(left()).toBe(1);
});

it('A result that waits is not sent any more once the access has ended', async () => {
  const { reader, respond } = openStream();
  reader.show('"confidential"');
  reader.end(new Error('Your access has ended'));
  expect(await respond().text()).toBe(
    'event: next\ndata: {"errors":[{"message":"Your access has ended"}]}\n\nevent: complete\ndata:\n\n',
  );
});

it('A client that disconnects leaves the query once, also before the stream begins', async () => {
  const early = openStream();
  early.controller.abort();
  early.respond();
  expect(early.left()).toBe(1);
  const late = openStream();
  const response = late.respond();
  late.controller.abort();
  await response.body?.cancel();
  expect(late.left()).toBe(1);
});
