import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';

export type HeartbeatOutcome = 'arrived' | 'lost' | 'withheld';

type HeartbeatParts = {
  /** Known to its owner alone: it stands in no log and no error. */
  url: string;
  intervalMs: number;
  isHealthy: () => Promise<boolean>;
  /** Is told what came of each. */
  noted?: (outcome: HeartbeatOutcome) => void;
  log: Log;
  answerMs?: number;
  /** The pauses before the second and the third try. */
  pausesMs?: readonly number[];
};

/**
 * Calls an uptime service now and then after each interval, as long as the vault is healthy; never
 * twice at once.
 */
export function startHeartbeat({
  url,
  intervalMs,
  isHealthy,
  noted,
  log,
  answerMs = 10_000,
  pausesMs = [1_000, 4_000],
}: HeartbeatParts): { close(): void } {
  const closing = new AbortController();
  let beating = false;

  const send = async (): Promise<string> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(answerMs)]);
    try {
      // Only to this address: where it would send us to is not what was configured.
      const response = await fetch(url, { redirect: 'manual', signal });
      // The answer's head says all; a body may never end.
      await response.body?.cancel();
      return response.ok ? 'arrived' : `the receiver answered ${response.status}`;
    } catch {
      return signal.aborted
        ? 'the receiver did not answer in time'
        : 'the receiver is out of reach';
    }
  };

  const beat = async () => {
    if (beating) return;
    beating = true;
    try {
      if (!(await isHealthy())) {
        noted?.('withheld');
        return log.warn('no heartbeat is sent: the vault is not healthy');
      }
      let outcome = await send();
      for (const pauseMs of pausesMs) {
        if (outcome === 'arrived') break;
        await wait(pauseMs, undefined, { signal: closing.signal, ref: false });
        outcome = await send();
      }
      noted?.(outcome === 'arrived' ? 'arrived' : 'lost');
      if (outcome !== 'arrived')
        log.warn({ tries: pausesMs.length + 1, outcome }, 'the heartbeat did not arrive');
    } catch (error) {
      if (!closing.signal.aborted) log.error({ err: error }, 'the heartbeat failed');
    } finally {
      beating = false;
    }
  };

  beat();
  const timer = setInterval(beat, intervalMs).unref();
  return {
    close() {
      clearInterval(timer);
      closing.abort();
    },
  };
}
