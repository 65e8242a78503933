import { type AnyVariables, type DocumentInput, stringifyDocument } from '@urql/core';
import { requestHeaders } from './organization.ts';

type LiveListener = {
  /** Gets the data of each result; undefined if the result has errors. */
  onResult: (data: unknown) => void;
  /** The stream could not be opened, or has ended. */
  onEnd: () => void;
};

// A browser has six connections to a server without HTTP/2, for all its tabs.
const streamsMax = 2;
let openStreams = 0;

/**
 * Asks the server to send the result of a query again whenever it changes. Undefined if the page has
 * enough streams; otherwise a function that closes the stream.
 */
export function openLiveStream<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: string,
  { onResult, onEnd }: LiveListener,
): (() => void) | undefined {
  if (openStreams >= streamsMax) return undefined;
  openStreams += 1;
  const controller = new AbortController();
  const { signal } = controller;
  async function read(): Promise<void> {
    const { body } = await fetch('/graphql', {
      method: 'POST',
      credentials: 'same-origin',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        ...requestHeaders(),
      },
      body: `{"query":${JSON.stringify(stringifyDocument(document))},"variables":${variables}}`,
      signal,
    });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      const blocks = (text + next.value).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, json] = /^event: next\ndata: (.*)$/s.exec(block) ?? [];
        if (json === undefined || signal.aborted) continue;
        const { data, errors } = JSON.parse(json);
        onResult(errors ? undefined : data);
      }
    }
  }
  // Whatever the fault is, the page polls instead, which shows it if it concerns the page.
  void read()
    .catch(() => undefined)
    .then(() => {
      openStreams -= 1;
      if (!signal.aborted) onEnd();
    });
  return () => controller.abort();
}
