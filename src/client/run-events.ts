import type { GetRunEventsEvent, RunAssistantEvent } from './documented-calls.ts';

type Flat<Event> = Event extends { event: infer Type; data: infer Data }
  ? { type: Type } & Data
  : never;

/**
 * An event of a durable run. `done` is the last event of a run with an answer, `failed` of any other.
 * At `step`, the text since the last `step` with the same number is void.
 */
export type DurableRunEvent = Numbered<GetRunEventsEvent>;

type Numbered<Event> = Event extends { id: string } ? { id: string } & Flat<Event> : never;

/** An event of a run. `error` is the last event of a failed run, `done` of a successful one. */
export type RunEvent = Flat<RunAssistantEvent>;

/**
 * Parses server-sent events. If the caller stops reading, the connection closes and the server
 * cancels the run. Throws if the connection ends before the last event.
 */
export async function* readEvents(response: Response): AsyncGenerator<RunEvent> {
  for await (const event of eventsOf<RunEvent>(response)) {
    yield event;
    if (event.type === 'done' || event.type === 'error') return;
  }
  throw new TypeError('The connection ended before the run did');
}

/**
 * Follows a durable run until it ends. `open` requests the events after the one with this id; it is
 * called again when a stream breaks. `pause` waits before the next attempt, or throws after too many.
 */
export async function* followEvents(
  open: (lastEventId: string | undefined) => Promise<Response>,
  pause: (attempts: number, cause: unknown) => Promise<void>,
): AsyncGenerator<DurableRunEvent> {
  let lastEventId: string | undefined;
  for (let attempts = 0; ; attempts += 1) {
    // A refusal ends the iteration: only a stream that began can be resumed.
    const response = await open(lastEventId);
    let cause: unknown = new TypeError('The connection ended before the run did');
    try {
      for await (const event of eventsOf<DurableRunEvent>(response)) {
        // An event without an id says that this stream broke.
        if (event.id === undefined) break;
        attempts = 0;
        lastEventId = event.id;
        yield event;
        if (event.type === 'done' || event.type === 'failed') return;
      }
    } catch (error) {
      cause = error;
    }
    await pause(attempts, cause);
  }
}

async function* eventsOf<Event>({ body }: Response): AsyncGenerator<Event> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let incomplete = '';
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const blocks = (incomplete + next.value).split(/\r?\n\r?\n/);
      incomplete = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent<Event>(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel();
  }
}

/** A block without data is a comment that keeps the connection open. */
function parseEvent<Event>(block: string): Event | undefined {
  // With `s`, because JSON may contain U+2028 and U+2029, which `.` does not match without it.
  const lines = block.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/s.exec(line));
  const valuesOf = (name: string) =>
    lines.flatMap((line) => (line?.[1] === name ? [line[2] ?? ''] : []));
  const data = valuesOf('data').join('\n');
  if (data === '') return undefined;
  const id = valuesOf('id').at(-1);
  return { ...(id !== undefined && { id }), type: valuesOf('event').at(-1), ...JSON.parse(data) };
}
