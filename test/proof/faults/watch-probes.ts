import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../../bench/statistics.ts';
import {
  type ApiAnswer,
  type ApiRequest,
  graphErrorOf,
  type ServerAddress,
  sendRequest,
} from './load/send-request.ts';

/** A request that is repeated; `isRight` recognizes its answer while the server works normally. */
export type RequestProbe = {
  name: string;
  request: () => ApiRequest;
  isRight: (answer: ApiAnswer) => boolean;
  everyMs?: number;
};

/** `at` is the time when the request was sent. */
type ProbeResult = {
  name: string;
  at: number;
  ms: number;
  outcome: 'right' | 'unavailable' | 'wrong' | 'cut off';
  answer: string;
};

const defaultPauseMs = 100;

/** Repeats all probes in parallel and records each outcome with its time. */
export function watchProbes(server: ServerAddress, probes: readonly RequestProbe[]) {
  const results: ProbeResult[] = [];
  const stopping = new AbortController();
  const probing = Promise.all(
    probes.map(async ({ name, request, isRight, everyMs = defaultPauseMs }) => {
      while (!stopping.signal.aborted) {
        const at = performance.now();
        const answer = await sendRequest(server, request()).catch(() => undefined);
        const outcome =
          answer === undefined
            ? 'cut off'
            : isRight(answer)
              ? 'right'
              : isUnavailable(answer)
                ? 'unavailable'
                : 'wrong';
        results.push({
          name,
          at,
          ms: performance.now() - at,
          outcome,
          answer: answer ? `${answer.status} ${answer.text.slice(0, 160)}` : '',
        });
        await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }),
  );

  return {
    results,
    /**
     * The milliseconds from `since` to the first answer with this outcome, counting answers from
     * `from` on; undefined when there is none.
     */
    firstAfter(
      from: number,
      name: string,
      outcome: ProbeResult['outcome'],
      since = from,
    ): number | undefined {
      const isAfter = ({ at, ms }: ProbeResult) =>
        (outcome === 'unavailable' ? at + ms : at) >= from;
      const first = results.find(
        (entry) => entry.name === name && entry.outcome === outcome && isAfter(entry),
      );
      return first && first.at + first.ms - since;
    },
    /** The results that are neither right nor 503. */
    wrong: () => results.filter(({ outcome }) => outcome === 'wrong' || outcome === 'cut off'),
    /** The median duration of a probe before this time. */
    medianMs: (name: string, before: number) =>
      median(
        results
          .filter((entry) => entry.name === name && entry.at + entry.ms < before)
          .map(({ ms }) => ms),
      ),
    /** The slowest probe that was open during this period. */
    slowest: (from: number, to: number) =>
      results
        .filter(({ at, ms }) => at + ms >= from && at <= to)
        .reduce((slowest, result) => (result.ms > slowest.ms ? result : slowest), {
          name: 'no probe',
          ms: 0,
        }),
    async stop() {
      stopping.abort();
      await probing;
    },
  };
}

const isUnavailable = (answer: ApiAnswer) =>
  answer.status === 503 || (answer.status === 200 && graphErrorOf(answer)?.code === 'UNAVAILABLE');
