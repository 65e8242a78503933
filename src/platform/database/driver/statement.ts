export type SqlParameter =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Uint8Array
  | readonly (string | number)[];

/**
 * A statement with its parameters. A statement with a name is prepared once per connection. One
 * without a name is planned for its values with each execution.
 */
export type Statement = {
  name: string | undefined;
  text: string;
  values: readonly SqlParameter[];
};

export type Row = Record<string, unknown>;
/** `command` is the tag of the server, for example `UPDATE 3` or `COMMIT`. */
export type StatementResult = { rows: Row[]; command: string };

/** A statement with the callbacks for its result. Only the first call of one of them counts. */
export type PendingStatement = {
  statement: Statement;
  done(result: StatementResult): void;
  failed(fault: Error): void;
};

/** The text form of a parameter; bytes are sent in binary form. */
export function toParameter(value: unknown): string | Buffer | null {
  if (typeof value === 'string' || value === null) return value;
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value))
    return `{${value.map((item) => (typeof item === 'number' ? item : `"${String(item).replace(/[\\"]/g, '\\$&')}"`)).join(',')}}`;
  return String(value);
}
