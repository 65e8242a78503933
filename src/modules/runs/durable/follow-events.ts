import type { Database } from '../../../platform/database/database.ts';
import { type EventsRequest, readEvents } from './read-events.ts';
import { pollEveryMs } from './read-run.ts';
import type { SequencedEvent } from './run-event.ts';
import type { RunNotice, RunNotices } from './run-notices.ts';

type FollowDependencies = {
  database: Pick<Database, 'sql'>;
  notices: RunNotices;
  /** Aborted when the reader disconnects or loses its access. */
  signal: AbortSignal;
  /** Called when nobody reads any more. */
  ended: () => void;
};

/**
 * Streams the events of a run after a number until the run has ended, whatever process executes it.
 * A reader that stops ends nothing but its own stream.
 */
export function followEvents(
  request: EventsRequest,
  { database, notices, signal, ended }: FollowDependencies,
): AsyncIterableIterator<SequencedEvent, undefined> {
  const buffered: SequencedEvent[] = [];
  let after = request.after;
  let isLast = false;
  let isStopped = signal.aborted;
  let notice: RunNotice | undefined;
  const stop = () => {
    isStopped = true;
    signal.removeEventListener('abort', stop);
    notice?.cancel();
    ended();
  };
  signal.addEventListener('abort', stop);

  async function readNext(): Promise<void> {
    // The wait begins before the read, so that a change in between is not missed.
    notice = notices.next(request.id, pollEveryMs);
    try {
      const { events, isLast: isEnd } = await readEvents({ ...request, after }, { database });
      buffered.push(...events);
      after = events.at(-1)?.sequence ?? after;
      isLast = isEnd;
      if (events.length === 0 && !isLast && !isStopped) await notice.changed;
    } catch (error) {
      // Whoever iterates does not call `return` after an error.
      stop();
      throw error;
    } finally {
      notice.cancel();
    }
  }

  return {
    async next() {
      while (buffered.length === 0 && !isLast && !isStopped) await readNext();
      const value = isStopped ? undefined : buffered.shift();
      if (value) return { done: false, value };
      stop();
      if (!isLast && signal.aborted) throw signal.reason;
      return { done: true, value: undefined };
    },
    async return() {
      stop();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
