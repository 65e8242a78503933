import { type ApiFault, unreachable } from '../../graph/fault.ts';
import { RunDocument, type RunMessageInput, type RunSubscription } from '../documents.ts';
import {
  faultFromErrors,
  graphHeaders,
  jsonBody,
  multipartBody,
  parseGraphResponse,
} from '../graphql-fetch.ts';
import type { RunEvent } from './conversation.ts';
import { serverSentEvents } from './server-sent-events.ts';

type RunInput = { assistantId: string; messages: RunMessageInput[]; file: File | undefined };

/** A run failed before its answer was complete. */
export class RunError extends Error {
  readonly fault: ApiFault;

  constructor(fault: ApiFault) {
    super(fault.message);
    this.fault = fault;
  }
}

const runInterrupted: ApiFault = {
  code: 'BROKEN_OFF',
  message: 'The connection was lost before the answer was complete. Ask again.',
};

/**
 * Runs an assistant and yields its events. A failed request is never repeated automatically,
 * because every run costs money.
 */
export async function* runEvents(
  { assistantId, messages, file }: RunInput,
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
    throw new RunError(errors ? faultFromErrors(errors) : unreachable);
  }
  try {
    for await (const events of serverSentEvents(response.body)) {
      const batch = events
        .filter(({ name }) => name === 'next')
        .map(({ data }) => parseRunEvent(data));
      yield batch;
      if (batch.some(({ __typename }) => __typename === 'DoneEvent')) return;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof TypeError ? new RunError(runInterrupted) : error;
  }
  throw new RunError(runInterrupted);
}

function parseRunEvent(text: string): RunEvent {
  const {
    data,
    errors,
  }: { data?: RunSubscription | null; errors?: Parameters<typeof faultFromErrors>[0] } =
    JSON.parse(text);
  if (errors) throw new RunError(faultFromErrors(errors));
  if (!data) throw new RunError(runInterrupted);
  return data.assistantRun;
}
