import { AppError } from '../../platform/errors.ts';

export type Ticket = {
  /** Comes when it is this one's turn; until then `onMove` hears how many stand before it. */
  turn: (signal: AbortSignal, onMove?: (ahead: number) => void) => Promise<void>;
  /** Makes room. Whoever joined leaves, once. */
  leave: () => void;
};
export type Line = ReturnType<typeof createLine>;

type Waiting = { start: () => void; move: (ahead: number) => void };

/** Few files are worked on at once, since each needs a processor and memory; some wait; more than that are sent away. */
export function createLine({ places, waitingMax }: { places: number; waitingMax: number }) {
  const waiting: Waiting[] = [];
  let present = 0;
  let working = 0;

  const tellAll = () => {
    for (const [ahead, { move }] of waiting.entries()) move(ahead);
  };
  const next = () => {
    const first = waiting.shift();
    if (first) first.start();
    else working -= 1;
    tellAll();
  };

  return {
    join(): Ticket {
      if (present >= places + waitingMax) throw new AppError('UNAVAILABLE', 'Too many files are waiting to be read; send it again later');
      present += 1;
      let isWorking = false;
      return {
        turn: (signal, onMove = () => {}) =>
          new Promise((resolve, reject) => {
            if (signal.aborted) return reject(signal.reason);
            const start = () => {
              isWorking = true;
              signal.removeEventListener('abort', giveUp);
              resolve();
            };
            const entry: Waiting = { start, move: onMove };
            const giveUp = () => {
              waiting.splice(waiting.indexOf(entry), 1);
              reject(signal.reason);
              tellAll();
            };
            if (working < places) {
              working += 1;
              return start();
            }
            signal.addEventListener('abort', giveUp, { once: true });
            waiting.push(entry);
            onMove(waiting.length - 1);
          }),
        leave() {
          present -= 1;
          if (isWorking) next();
        },
      };
    },
  };
}
