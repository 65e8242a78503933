import type { ServerSentEvent } from '../http/event-stream.ts';

const eventUnitsMax = 1_000_000;

/** Parses the events of a stream. Events of the vault have exactly one data line. */
export async function* readEvents(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Required<Omit<ServerSentEvent, 'id'>>> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const chunk of bytes) {
    pending += decoder.decode(chunk, { stream: true });
    if (pending.length > eventUnitsMax) throw new Error('an event is too long');
    const events = pending.split('\n\n');
    pending = events.pop() ?? '';
    for (const text of events) {
      // Only \n ends a line: JSON may contain U+2028 and U+2029, which `.` and `$` take for line ends.
      const [, name] = /(?:^|\n)event: ([^\n]*)/.exec(text) ?? [];
      const [, data] = /(?:^|\n)data: ([^\n]*)/.exec(text) ?? [];
      if (name !== undefined && data !== undefined) yield { name, data: JSON.parse(data) };
    }
  }
}
