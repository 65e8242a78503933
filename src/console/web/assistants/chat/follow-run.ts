import { type ApiFault, isPassing, unreachable } from '../../graph/fault.ts';
import { awaitRenewal } from '../../graph/session-expiry.ts';
import { t } from '../../texts/text.ts';
import { RunEventsDocument, type RunEventsSubscription } from '../documents.ts';
import { faultFromErrors, graphHeaders, jsonBody, parseGraphResponse } from '../graphql-fetch.ts';
import { serverSentEvents } from './server-sent-events.ts';
import type { RunEvent } from './turn.ts';

/** The events of a run could not be read. */
export class RunError extends Error {
  readonly fault: ApiFault;

  constructor(fault: ApiFault) {
    super(fault.message);
    this.fault = fault;
  }
}

const interrupted = (): ApiFault => ({
  code: 'BROKEN_OFF',
  message: t('chat.connectionLost'),
});
const pauseMsMax = 5_000;

type FollowOptions = {
  signal: AbortSignal;
  /** Called with whether the stream is interrupted at the moment. */
  onInterrupted: (isInterrupted: boolean) => void;
};

/**
 * Yields the events of a durable run from its first one until its last one. When the connection
 * breaks, it continues after the last event that has arrived.
 */
export async function* followRun(
  runId: string,
  { signal, onInterrupted }: FollowOptions,
): AsyncGenerator<RunEvent[]> {
  let after = 0;
  let failures = 0;
  for (;;) {
    try {
      for await (const events of readEvents(runId, after, signal)) {
        if (failures > 0) onInterrupted(false);
        failures = 0;
        after = events.at(-1)?.sequence ?? after;
        yield events;
        if (events.some(isLast)) return;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RunError)) throw error;
      if (error.fault.code === 'UNAUTHENTICATED' && (await awaitRenewal())) continue;
      if (!isPassing(error.fault)) throw error;
    }
    failures += 1;
    if (failures === 2) onInterrupted(true);
    await pause(Math.min(pauseMsMax, 250 * 2 ** failures), signal);
  }
}

const isLast = ({ __typename }: RunEvent) =>
  __typename === 'DoneEvent' || __typename === 'FailedEvent';

async function* readEvents(
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RunEvent[]> {
  const response = await fetch('/graphql', {
    method: 'POST',
    credentials: 'same-origin',
    headers: {
      ...graphHeaders(),
      accept: 'text/event-stream',
      'content-type': 'application/json',
    },
    body: jsonBody(RunEventsDocument, { runId, after }),
    signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error instanceof TypeError ? new RunError(unreachable()) : error;
  });
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const { errors } = parseGraphResponse(await response.text()) ?? {};
    throw new RunError(errors ? faultFromErrors(errors) : unreachable());
  }
  try {
    for await (const events of serverSentEvents(response.body)) {
      const batch = events
        .filter(({ name }) => name === 'next')
        .map(({ data }) => parseRunEvent(data));
      if (batch.length > 0) yield batch;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof TypeError ? new RunError(interrupted()) : error;
  }
}

function parseRunEvent(text: string): RunEvent {
  const {
    data,
    errors,
  }: { data?: RunEventsSubscription | null; errors?: Parameters<typeof faultFromErrors>[0] } =
    JSON.parse(text);
  if (errors) throw new RunError(faultFromErrors(errors));
  if (!data) throw new RunError(interrupted());
  return data.runEvents;
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
