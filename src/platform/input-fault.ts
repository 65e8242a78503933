import type { FieldErrorCode } from './errors.ts';

/**
 * A value that its scalar rejects. The message continues after the name of the value ("must …" or
 * ": …") and never repeats the value. `subpath` is the invalid part of the value, such as `[2]`.
 */
export class InputFault extends Error {
  readonly code: FieldErrorCode;
  readonly subpath: string;

  constructor(code: FieldErrorCode, message: string, subpath = '') {
    super(message);
    this.code = code;
    this.subpath = subpath;
  }
}

/** The faults of several parts of one value. */
export class InputFaults extends Error {
  readonly faults: readonly InputFault[];

  constructor(faults: readonly InputFault[]) {
    super(faults.map(({ subpath, message }) => `${subpath} ${message}`).join('; '));
    this.faults = faults;
  }
}

/** The faults that a parser has thrown, or undefined for any other error. */
export function inputFaultsOf(error: unknown): readonly InputFault[] | undefined {
  if (error instanceof InputFaults) return error.faults;
  return error instanceof InputFault ? [error] : undefined;
}

/** More faults of one value are not described: there could be as many as it has items. */
export const faultsMax = 20;

/** Parses each item of a list. The error has the faults of all invalid items. */
export function parseItems<Item, Parsed>(
  items: readonly Item[],
  parseItem: (item: Item, index: number) => Parsed,
): Parsed[] {
  const parsed: Parsed[] = [];
  const faults: InputFault[] = [];
  for (const [index, item] of items.entries()) {
    if (faults.length >= faultsMax) break;
    try {
      parsed.push(parseItem(item, index));
    } catch (error) {
      const thrown = inputFaultsOf(error);
      if (!thrown) throw error;
      faults.push(...thrown);
    }
  }
  if (faults.length > 0) throw new InputFaults(faults.slice(0, faultsMax));
  return parsed;
}
