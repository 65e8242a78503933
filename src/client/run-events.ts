import type { Calls, ErrorBody } from './documented-calls.ts';

/** An event of a run. `error` is the last event of a failed run, `done` of a successful one. */
export type RunEvent =
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown }
  | { type: 'tool-result'; toolCallId: string; toolName: string; output: unknown }
  | ({ type: 'done' } & Calls['runAssistant']['answer'])
  | ({ type: 'error' } & ErrorBody);

/**
 * Parses the events of a stream. If the caller stops reading, the connection closes and the server
 * cancels the run.
 */
export async function* readEvents({ body }: Response): AsyncGenerator<RunEvent> {
  if (!body) return;
  let incomplete = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const blocks = (incomplete + next.value).split('\n\n');
      incomplete = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, type, data] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? [];
        if (data) yield { type, ...JSON.parse(data) };
      }
    }
  } finally {
    await reader.cancel();
  }
}
