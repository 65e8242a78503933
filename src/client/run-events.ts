import type { RunAssistantEvent } from './documented-calls.ts';

type Flat<Event> = Event extends { event: infer Type; data: infer Data }
  ? { type: Type } & Data
  : never;

/** An event of a run. `error` is the last event of a failed run, `done` of a successful one. */
export type RunEvent = Flat<RunAssistantEvent>;

/**
 * Parses server-sent events. If the caller stops reading, the connection closes and the server
 * cancels the run. Throws if the connection ends before the last event.
 */
export async function* readEvents({ body }: Response): AsyncGenerator<RunEvent> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let incomplete = '';
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const blocks = (incomplete + next.value).split(/\r?\n\r?\n/);
      incomplete = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event === undefined) continue;
        yield event;
        if (event.type === 'done' || event.type === 'error') return;
      }
    }
  } finally {
    await reader.cancel();
  }
  throw new TypeError('The connection ended before the run did');
}

/** A block without data is a comment that keeps the connection open. */
function parseEvent(block: string): RunEvent | undefined {
  const lines = block.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/.exec(line));
  const valuesOf = (name: string) =>
    lines.flatMap((line) => (line?.[1] === name ? [line[2] ?? ''] : []));
  const data = valuesOf('data').join('\n');
  return data === '' ? undefined : { type: valuesOf('event').at(-1), ...JSON.parse(data) };
}
