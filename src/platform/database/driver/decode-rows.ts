import { EventEmitter } from 'node:events';
import type { Connection } from 'pg';
import type { RawRow } from './row-reader.ts';

/** A DataRow message, as the parser of `pg` describes it to the client. */
type RowMessage = { name: 'dataRow'; length: number; fieldCount: number; fields: RawRow };

type RowDecoderListener = {
  onRow: (row: RowMessage) => void;
  /**
   * Gets the bytes of all other messages, and those of rows that are long or arrive in parts. The
   * parser of `pg` may overwrite the bytes it gets, so they are not read afterwards.
   */
  onOther: (bytes: Buffer) => void;
};

const dataRowType = 'D'.charCodeAt(0);
/** A message begins with its type and its length, which does not count the type. */
const headLength = 5;
/** Longer rows have long texts, which the parser of `pg` decodes as fast. */
const rowLengthMax = 4_096;
const noBytes = Buffer.alloc(0);

/**
 * Decodes the rows in what a Postgres server sends. The parser of `pg` calls into Node for each
 * value of a row; decoding the row as one text and cutting it is faster. A value keeps the text of
 * its row in memory, never that of the whole chunk.
 */
export class RowDecoder {
  readonly #listener: RowDecoderListener;
  /** The first bytes of a message whose length has not arrived yet. */
  #head: Buffer = noBytes;
  /** How many bytes are missing of a message that began in an earlier chunk. */
  #missing = 0;

  constructor(listener: RowDecoderListener) {
    this.#listener = listener;
  }

  decode(chunk: Buffer): void {
    const data = this.#head.length > 0 ? Buffer.concat([this.#head, chunk]) : chunk;
    this.#head = noBytes;
    let at = Math.min(this.#missing, data.length);
    this.#missing -= at;
    let otherFrom = 0;
    const passOther = (to: number) => {
      if (otherFrom < to) this.#listener.onOther(data.subarray(otherFrom, to));
      otherFrom = to;
    };
    while (at < data.length) {
      if (data.length - at < headLength) {
        passOther(at);
        this.#head = Buffer.from(data.subarray(at));
        return;
      }
      const end = at + 1 + data.readUInt32BE(at + 1);
      if (data[at] === dataRowType && end <= data.length && end - at <= rowLengthMax) {
        passOther(at);
        this.#listener.onRow(rowOf(data, at, end));
        otherFrom = end;
      }
      this.#missing = Math.max(0, end - data.length);
      at = end;
    }
    passOther(data.length);
  }
}

function rowOf(data: Buffer, from: number, end: number): RowMessage {
  const text = data.toString('latin1', from, end);
  const fieldCount = data.readUInt16BE(from + headLength);
  const fields = new Array<string | null>(fieldCount);
  let at = from + headLength + 2;
  for (let field = 0; field < fieldCount; field += 1) {
    const length = data.readInt32BE(at);
    at += 4;
    if (length < 0) fields[field] = null;
    else {
      fields[field] = isAsciiIn(data, at, at + length)
        ? text.slice(at - from, at - from + length)
        : data.toString('utf8', at, at + length);
      at += length;
    }
  }
  return { name: 'dataRow', length: end - from - 1, fieldCount, fields };
}

function isAsciiIn(data: Buffer, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) if ((data[at] ?? 0) > 0x7f) return false;
  return true;
}

/** Makes a connection use RowDecoder for rows, and the parser of `pg` for all other messages. */
export function decodeRows(connection: Connection): void {
  // `attachListeners` is missing in the types of `pg`. It is called with the socket, or with the
  // encrypted socket.
  const listening = connection as unknown as { attachListeners(stream: EventEmitter): void };
  const attach = listening.attachListeners.bind(connection);
  listening.attachListeners = (stream) => {
    const others = new EventEmitter();
    attach(others);
    const decoder = new RowDecoder({
      onRow: (row) => connection.emit('dataRow', row),
      onOther: (bytes) => others.emit('data', bytes),
    });
    stream.on('data', (chunk: Buffer) => decoder.decode(chunk));
  };
}
