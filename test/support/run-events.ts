export type ReceivedEvent = { id: string | undefined; name: string; data: Record<string, unknown> };

/** The complete events in the text of a stream, without its comments. */
export const eventsIn = (text: string): ReceivedEvent[] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .map((block) => block.split('\n').filter((line) => !line.startsWith(':')))
    .filter((lines) => lines.some((line) => line.startsWith('event: ')))
    .map((lines) => {
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      return {
        id: field('id'),
        name: field('event') ?? '',
        data: Object(JSON.parse(field('data') ?? '{}')),
      };
    });

/**
 * The text of the last step, as a reader puts it together: a step that begins again voids what was
 * read of it before.
 */
export function textOf(events: readonly ReceivedEvent[]): string {
  let text = '';
  for (const { name, data } of events) {
    if (name === 'step') text = '';
    if (name === 'text') text += String(data['text']);
  }
  return text;
}

/** Reads a stream until it ends, or until `enough` says so; then the reader disconnects. */
export async function readStream(
  url: string,
  { enough, ...init }: RequestInit & { enough?: (events: ReceivedEvent[]) => boolean },
): Promise<{ response: Response; events: ReceivedEvent[] }> {
  const controller = new AbortController();
  const response = await fetch(url, { ...init, signal: controller.signal });
  let text = '';
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    text += decoder.decode(next.value, { stream: true });
    if (!enough?.(eventsIn(text))) continue;
    controller.abort();
    break;
  }
  return { response, events: eventsIn(text) };
}
