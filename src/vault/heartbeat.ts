import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';

export type HeartbeatOutcome = 'arrived' | 'lost' | 'withheld';

type HeartbeatOptions = {
  /** The address is a secret: it must not appear in logs or errors. */
  url: string;
  intervalMs: number;
  isHealthy: () => Promise<boolean>;
  /** Called with the outcome of each heartbeat. */
  onOutcome?: (outcome: HeartbeatOutcome) => void;
  log: Log;
  answerTimeoutMs?: number;
  /** The pauses before the second and the third attempt. */
  pausesMs?: readonly number[];
};

/**
 * Calls an uptime service immediately and then after each interval while the vault is healthy. A
 * heartbeat that is due while the previous one is still being sent is skipped.
 */
export function startHeartbeat({
  url,
  intervalMs,
  isHealthy,
  onOutcome,
  log,
  answerTimeoutMs = 10_000,
  pausesMs = [1_000, 4_000],
}: HeartbeatOptions): { close(): void } {
  const closing = new AbortController();
  let isSending = false;

  const send = async (): Promise<string> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(answerTimeoutMs)]);
    try {
      // Redirects are not followed: only the configured address may be called.
      const response = await fetch(url, { redirect: 'manual', signal });
      // The status is enough. The body is not read, because it might never end.
      await response.body?.cancel();
      return response.ok ? 'arrived' : `the receiver answered ${response.status}`;
    } catch {
      return signal.aborted
        ? 'the receiver did not answer in time'
        : 'the receiver is out of reach';
    }
  };

  const sendIfHealthy = async () => {
    if (isSending) return;
    isSending = true;
    try {
      if (!(await isHealthy())) {
        onOutcome?.('withheld');
        return log.warn('no heartbeat is sent: the vault is not healthy');
      }
      let outcome = await send();
      for (const pauseMs of pausesMs) {
        if (outcome === 'arrived') break;
        await wait(pauseMs, undefined, { signal: closing.signal, ref: false });
        outcome = await send();
      }
      onOutcome?.(outcome === 'arrived' ? 'arrived' : 'lost');
      if (outcome !== 'arrived')
        log.warn({ tries: pausesMs.length + 1, outcome }, 'the heartbeat did not arrive');
    } catch (error) {
      if (!closing.signal.aborted) log.error({ err: error }, 'the heartbeat failed');
    } finally {
      isSending = false;
    }
  };

  sendIfHealthy();
  const timer = setInterval(sendIfHealthy, intervalMs).unref();
  return {
    close() {
      clearInterval(timer);
      closing.abort();
    },
  };
}
