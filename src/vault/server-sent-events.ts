/**
 * What a server tells while it works:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export type ServerSentEvent = { name: string; data: unknown };

export const eventText = ({ name, data }: ServerSentEvent): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * A line that says nothing, so that nobody on the way takes the silence of hard work for a dead
 * connection.
 */
export const keepAliveText = ': working\n\n';

const eventUnitsMax = 1_000_000;

/** The events of a stream, one after the other. Ours have one line of data each. */
export async function* readEvents(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let held = '';
  for await (const chunk of bytes) {
    held += decoder.decode(chunk, { stream: true });
    if (held.length > eventUnitsMax) throw new Error('an event is too long');
    const whole = held.split('\n\n');
    held = whole.pop() ?? '';
    for (const text of whole) {
      const [, name] = /^event: (.*)$/m.exec(text) ?? [];
      const [, data] = /^data: (.*)$/m.exec(text) ?? [];
      if (name !== undefined && data !== undefined) yield { name, data: JSON.parse(data) };
    }
  }
}
