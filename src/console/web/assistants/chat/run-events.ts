import type { Fault } from '../../graph/fault.ts';
import { RunDocument, type RunSubscription } from '../documents.ts';
import {
  faultIn,
  graphHeaders,
  jsonBody,
  multipartBody,
  parseGraphResponse,
  unreachable,
} from '../graphql-fetch.ts';
import type { RunEvent } from './conversation.ts';
import { serverSentEvents } from './server-sent-events.ts';

type Asked = { assistantId: string; messages: readonly object[]; file: File | undefined };

/** Why there is no answer, or no more of it. */
export class RunError extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

const runInterrupted: Fault = {
  code: 'BROKEN_OFF',
  message: 'The answer broke off. What it said so far stands above; you can ask again.',
};

/**
 * Lets an assistant answer. One question, one stream: nothing is asked again by itself, for every
 * run costs.
 */
export async function* runEvents(
  { assistantId, messages, file }: Asked,
  signal: AbortSignal,
): AsyncGenerator<RunEvent[]> {
  const variables = { assistantId, messages };
  const response = await fetch('/graphql', {
    method: 'POST',
    credentials: 'same-origin',
    headers: {
      ...graphHeaders(),
      accept: 'text/event-stream',
      ...(file ? {} : { 'content-type': 'application/json' }),
    },
    body: file
      ? multipartBody(RunDocument, { ...variables, files: [null] }, { path: 'files.0', file })
      : jsonBody(RunDocument, variables),
    signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error instanceof TypeError ? new RunError(unreachable) : error;
  });
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const { errors } = parseGraphResponse(await response.text()) ?? {};
    throw new RunError(errors ? faultIn(errors) : unreachable);
  }
  try {
    for await (const events of serverSentEvents(response.body)) {
      const told = events.filter(({ name }) => name === 'next').map(({ data }) => runEventIn(data));
      yield told;
      if (told.some(({ __typename }) => __typename === 'DoneEvent')) return;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof TypeError ? new RunError(runInterrupted) : error;
  }
  throw new RunError(runInterrupted);
}

function runEventIn(text: string): RunEvent {
  const {
    data,
    errors,
  }: { data?: RunSubscription | null; errors?: Parameters<typeof faultIn>[0] } = JSON.parse(text);
  if (errors) throw new RunError(faultIn(errors));
  if (!data) throw new RunError(runInterrupted);
  return data.assistantRun;
}
