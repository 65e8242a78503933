import { Duplex } from 'node:stream';
import type { Pglite } from './pglite.ts';

/** The connection of `pg` to an embedded database, in place of a socket. */
export class PgliteStream extends Duplex {
  readonly #pglite: Pglite;

  constructor(pglite: Pglite) {
    super();
    this.#pglite = pglite;
  }

  connect(): void {
    process.nextTick(() => this.emit('connect'));
  }

  /** `pg` calls these methods of a socket. */
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}

  /** Answers are sent when they arrive. */
  override _read(): void {}

  override _write(messages: Buffer, _encoding: string, sent: () => void): void {
    this.#execute(messages);
    sent();
  }

  /** What was written while the stream was corked: the messages of one statement. */
  override _writev(chunks: { chunk: Buffer }[], sent: () => void): void {
    this.#execute(Buffer.concat(chunks.map(({ chunk }) => chunk)));
    sent();
  }

  override _final(ended: () => void): void {
    this.push(null);
    ended();
  }

  #execute(messages: Buffer): void {
    this.#pglite.execProtocolRaw(messages).then(
      (answer) => {
        if (answer.length > 0 && !this.readableEnded) this.push(answer);
      },
      (fault: Error) => this.destroy(fault),
    );
  }
}
