import { setTimeout as pause } from 'node:timers/promises';
import { eventsIn, type ReceivedEvent } from './run-events.ts';

export type LiveClient = Awaited<ReturnType<typeof openLive>>;
type LiveBody = { documentId?: string; query?: string; variables?: Record<string, unknown> };

const patienceMs = 15_000;

/** Opens a live query over a socket, and reads its events until `close`. */
export async function openLive(url: string, headers: Record<string, string>, body: LiveBody) {
  const controller = new AbortController();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: controller.signal,
  });
  let text = '';
  let isEnded = false;
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    isEnded = true;
  })().catch((error: unknown) => {
    if (!controller.signal.aborted) throw error;
  });
  const events = (): ReceivedEvent[] => eventsIn(text);
  return {
    response,
    events,
    text: () => text,
    isEnded: () => isEnded,
    /** The data of the results so far. */
    results: (): Record<string, unknown>[] =>
      events()
        .filter(({ name }) => name === 'next')
        .map(({ data }) => data),
    /** Resolves with the results once there are this many. */
    async resultCount(count: number): Promise<Record<string, unknown>[]> {
      const until = performance.now() + patienceMs;
      while (this.results().length < count) {
        if (performance.now() > until)
          throw new Error(`${this.results().length} results instead of ${count}: ${text}`);
        await pause(5);
      }
      return this.results();
    },
    async ended(): Promise<ReceivedEvent[]> {
      await reading;
      return events();
    },
    async close(): Promise<void> {
      controller.abort();
      await reading;
    },
  };
}
