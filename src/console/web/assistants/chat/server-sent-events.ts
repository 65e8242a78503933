export type ServerSentEvent = { name: string; data: string };

/**
 * The events of a stream, those that came together at once: a page shows them together. Comments
 * and other fields are left out.
 */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerSentEvent[]> {
  let held = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    held += text;
    const blocks = held.split(/\r?\n\r?\n/);
    held = blocks.pop() ?? '';
    const events = blocks.flatMap(eventIn);
    if (events.length > 0) yield events;
  }
}

function eventIn(block: string): ServerSentEvent[] {
  let name = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^(event|data):? ?(.*)$/.exec(line) ?? [];
    if (field === 'event') name = value;
    if (field === 'data') data.push(value);
  }
  return data.length > 0 || name !== 'message' ? [{ name, data: data.join('\n') }] : [];
}
