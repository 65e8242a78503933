import type { EntryLine } from './parse-line.ts';

type LineOrder = {
  report: (line: number, message: string) => void;
  /** Is called for each position in order; with null if nothing is known of its entry. */
  add: (position: number, hash: string | null) => void;
};

/**
 * Checks that lines are entries of one position after the other. A line is compared with the one
 * after it, which tells a line that was added from lines that are missing.
 */
export function createLineOrder({ report, add }: LineOrder) {
  let expected: number | undefined;
  let held: EntryLine | undefined;
  let count = 0;

  function accept(position: number, hash: string | null): void {
    add(position, hash);
    expected = position + 1;
  }

  function reportMissing(until: number, line: number): void {
    if (expected === undefined || until <= expected) return;
    const range =
      until === expected + 1
        ? `The entry of position ${expected} is`
        : `The entries of positions ${expected} to ${until - 1} are`;
    report(line, `${range} missing before this line`);
    add(expected, null);
    expected = until;
  }

  /** The position that this line is to have. Of the first line, the next one tells it. */
  function placeOf(line: EntryLine, next: EntryLine | undefined): number {
    if (expected !== undefined) return expected;
    const before = next?.isWhole && next.position !== null ? next.position - 1 : undefined;
    if (!line.isWhole) return Math.max(before ?? line.position ?? 0, 0);
    const position = line.position ?? 0;
    return before !== undefined && before < position - 1 ? before + 1 : position;
  }

  function check(line: EntryLine, next: EntryLine | undefined): void {
    const place = placeOf(line, next);
    if (!line.isWhole) checkChanged(line, next, place);
    else if (isAdded(line, next, place))
      report(
        line.number,
        `The entry${named(line)} of position ${line.position} does not belong here: it was added or moved`,
      );
    else {
      const position = line.position ?? place;
      reportMissing(position, line.number);
      accept(position, line.hash);
    }
  }

  const isAdded = ({ position }: EntryLine, next: EntryLine | undefined, place: number): boolean =>
    position !== null &&
    (position < place ||
      (position > place &&
        next?.position != null &&
        next.position >= place &&
        next.position < position));

  /** The line stands for the position that is expected, unless the next one does. */
  function checkChanged(line: EntryLine, next: EntryLine | undefined, place: number): void {
    if (next?.isWhole && next.position === place) {
      report(line.number, `The line${named(line)} was added`);
      return;
    }
    const position =
      line.position !== null && line.position > place && next?.position === line.position + 1
        ? line.position
        : place;
    reportMissing(position, line.number);
    report(line.number, `The entry${named(line)} of position ${position} was changed`);
    accept(position, line.hash);
  }

  return {
    next(line: EntryLine): void {
      count += 1;
      if (held) check(held, line);
      held = line;
    },
    close(): void {
      if (held) check(held, undefined);
      held = undefined;
    },
    count: () => count,
    /** The position after the last entry; `first` without entries. */
    expected: (first: number) => expected ?? first,
  };
}

const named = ({ id }: EntryLine): string => (id === null ? '' : ` ${id}`);
