import { expect, it } from 'vitest';
import { type RunEvent, readEvents } from '../../src/client/run-events.ts';

const done = { text: 'Noon.', model: 'm', messages: [], usage: {}, citations: [] };
const text =
  ': alive\n\nevent: text\ndata: {"text":"At "}\n\nevent: text\r\ndata: {"text":\r\ndata: "nöon"}\r\n\r\n' +
  `event: done\ndata: ${JSON.stringify(done)}\n\n`;

/** A response whose body arrives in chunks of this size. */
const responseOf = (body: string, size: number, onCancel = () => {}) => {
  const bytes = new TextEncoder().encode(body);
  let sent = 0;
  return new Response(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(sent, sent + size));
        sent += size;
      },
      cancel: onCancel,
    }),
  );
};
const collect = async (response: Response) => {
  const events: RunEvent[] = [];
  for await (const event of readEvents(response)) events.push(event);
  return events;
};

it.each([1, 2, 3, 7, 1_000])(
  'Events are read from chunks of %d bytes: comments, line ends of both kinds, data of several lines',
  async (size) => {
    expect(await collect(responseOf(text, size))).toEqual([
      { type: 'text', text: 'At ' },
      { type: 'text', text: 'nöon' },
      { type: 'done', ...done },
    ]);
  },
);

it('A text with line separators of Unicode, which JSON does not escape, is read', async () => {
  const separators = 'one\u2028two\u2029three';
  const stream = `event: text\ndata: ${JSON.stringify({ text: separators })}\n\n${text}`;
  expect((await collect(responseOf(stream, 1_000)))[0]).toEqual({ type: 'text', text: separators });
});

it('A connection that ends before the run does is an error', async () => {
  const half = text.slice(0, text.indexOf('event: done'));
  await expect(collect(responseOf(half, 10))).rejects.toThrow(
    'The connection ended before the run did',
  );
});

it('A reader that stops closes the connection', async () => {
  let cancelled = false;
  const response = responseOf(text, 10, () => {
    cancelled = true;
  });
  for await (const event of readEvents(response)) if (event.type === 'text') break;
  expect(cancelled).toBe(true);
});
