import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../../bench/statistics.ts';
import { type Asked, ask, graphFaultOf, type Line, type Told } from './load/ask.ts';

/** Asked over and over; `isRight` says what its answer is while all is well. */
export type Question = {
  name: string;
  asked: () => Asked;
  isRight: (told: Told) => boolean;
  everyMs?: number;
};

/** `at` is when it was sent. */
type Seen = {
  name: string;
  at: number;
  ms: number;
  what: 'right' | 'away' | 'wrong' | 'cut off';
  told: string;
};

const usualPauseMs = 100;

/** Asks all of these at once, over and over, and remembers what was answered when. */
export function watch(line: Line, questions: readonly Question[]) {
  const seen: Seen[] = [];
  const stopping = new AbortController();
  const asking = Promise.all(
    questions.map(async ({ name, asked, isRight, everyMs = usualPauseMs }) => {
      while (!stopping.signal.aborted) {
        const at = performance.now();
        const told = await ask(line, asked()).catch(() => undefined);
        const what =
          told === undefined
            ? 'cut off'
            : isRight(told)
              ? 'right'
              : isAway(told)
                ? 'away'
                : 'wrong';
        seen.push({
          name,
          at,
          ms: performance.now() - at,
          what,
          told: told ? `${told.status} ${told.text.slice(0, 160)}` : '',
        });
        await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }),
  );

  return {
    seen,
    /**
     * How long after `since` a question was first answered so, of the answers from this moment on;
     * undefined where it never was.
     */
    firstAfter(from: number, name: string, what: Seen['what'], since = from): number | undefined {
      const isAfter = ({ at, ms }: Seen) => (what === 'away' ? at + ms : at) >= from;
      const first = seen.find(
        (entry) => entry.name === name && entry.what === what && isAfter(entry),
      );
      return first && first.at + first.ms - since;
    },
    /** What was neither right nor said to be away. */
    wrong: () => seen.filter(({ what }) => what === 'wrong' || what === 'cut off'),
    /** How long a question usually takes while all is well. */
    usualMs: (name: string, before: number) =>
      median(
        seen
          .filter((entry) => entry.name === name && entry.at + entry.ms < before)
          .map(({ ms }) => ms),
      ),
    /** The slowest of those that were open in this time. */
    slowest: (from: number, to: number) =>
      seen
        .filter(({ at, ms }) => at + ms >= from && at <= to)
        .reduce((one, other) => (other.ms > one.ms ? other : one), { name: 'nothing', ms: 0 }),
    async stop() {
      stopping.abort();
      await asking;
    },
  };
}

const isAway = (told: Told) =>
  told.status === 503 || (told.status === 200 && graphFaultOf(told)?.code === 'UNAVAILABLE');
