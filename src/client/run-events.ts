import type { Calls, Error as ErrorBody } from './documented-calls.ts';

/**
 * What happens in a run. After `error` nothing more comes; `done` is the last of a run that went
 * well.
 */
export type RunEvent =
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown }
  | { type: 'tool-result'; toolCallId: string; toolName: string; output: unknown }
  | ({ type: 'done' } & Calls['runAssistant']['answer'])
  | ({ type: 'error' } & ErrorBody);

/** The events of a stream. Whoever stops reading ends the run behind it. */
export async function* readEvents({ body }: Response): AsyncGenerator<RunEvent> {
  if (!body) return;
  let rest = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const blocks = (rest + next.value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, type, data] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? [];
        if (data) yield { type, ...JSON.parse(data) };
      }
    }
  } finally {
    await reader.cancel();
  }
}
