export type ServerSentEvent = { name: string; data: string };

/**
 * Parses a stream of server-sent events. Events that arrive in one chunk are yielded together, so
 * that the page renders once. Comments and other fields are ignored.
 */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerSentEvent[]> {
  let buffer = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    buffer += text;
    const blocks = buffer.split(/\r?\n\r?\n/);
    buffer = blocks.pop() ?? '';
    const events = blocks.flatMap(parseEvent);
    if (events.length > 0) yield events;
  }
}

function parseEvent(block: string): ServerSentEvent[] {
  let name = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    // With `s`, because JSON may contain U+2028 and U+2029, which `.` does not match without it.
    const [, field, value = ''] = /^(event|data):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') name = value;
    if (field === 'data') data.push(value);
  }
  return data.length > 0 || name !== 'message' ? [{ name, data: data.join('\n') }] : [];
}
