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
