import { useCallback, useEffect, useRef, useState } from 'react';
import { client } from '../../graph/client.ts';
import { CancelRunDocument } from '../documents.ts';
import { followRun, RunError } from './follow-run.ts';
import { applyEvents, emptyAnswer, type LiveAnswer } from './live-answer.ts';

export type LiveAnswers = Readonly<Record<string, LiveAnswer>>;

/**
 * Follows the run that is in progress, and keeps the answers of the runs that were followed. A run
 * goes on when the page is left.
 */
export function useLiveAnswers(runId: string | undefined, onEnd: () => void) {
  const [answers, setAnswers] = useState<LiveAnswers>({});
  const [isInterrupted, setInterrupted] = useState(false);
  const latestOnEnd = useRef(onEnd);
  useEffect(() => {
    latestOnEnd.current = onEnd;
  });

  useEffect(() => {
    if (runId === undefined) return undefined;
    const controller = new AbortController();
    const change = (next: (answer: LiveAnswer) => LiveAnswer) =>
      setAnswers((all) => ({ ...all, [runId]: next(all[runId] ?? emptyAnswer) }));
    const follow = async () => {
      // The events come from the first one, also when the run was followed before.
      setAnswers((all) => ({ ...all, [runId]: emptyAnswer }));
      const options = { signal: controller.signal, onInterrupted: setInterrupted };
      try {
        for await (const events of followRun(runId, options))
          change((answer) => applyEvents(answer, events));
      } catch (error) {
        if (controller.signal.aborted) return;
        if (!(error instanceof RunError)) throw error;
        // A run without events belongs to a request of another program; its end is stored as well.
        if (error.fault.code !== 'NOT_FOUND')
          change((answer) => ({ ...answer, state: 'failed', fault: error.fault }));
      }
      latestOnEnd.current();
    };
    void follow();
    return () => {
      controller.abort();
      setInterrupted(false);
    };
  }, [runId]);

  /** Shows the answer as stopped at once, and cancels its run. */
  const stop = useCallback(async (stoppedRunId: string) => {
    setAnswers((all) => ({
      ...all,
      [stoppedRunId]: { ...(all[stoppedRunId] ?? emptyAnswer), state: 'stopped' },
    }));
    await client.mutation(CancelRunDocument, { runId: stoppedRunId }).toPromise();
    latestOnEnd.current();
  }, []);
  return { answers, isInterrupted, stop };
}
