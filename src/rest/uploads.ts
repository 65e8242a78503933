import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import busboy, { type Busboy } from 'busboy';
import { fileBytesMax, tooLarge, Upload } from '../graph/upload.ts';
import { bytesOf, isCoded } from '../platform/content-coding.ts';
import { AppError, inputError } from '../platform/errors.ts';
import { BoundaryWatch } from './boundary-watch.ts';

/** The part of the form that holds the file. */
export const filePart = 'file';

// What a form may hold besides the file: boundaries, headers, and fields that nobody asked for.
const besidesBytesMax = 1_048_576;
const bytesMax = fileBytesMax + besidesBytesMax;

/**
 * The file in a multipart form. Neither the form's type nor a byte of the body is looked at before
 * a rule opens it.
 */
export function uploadIn(request: Request): Upload {
  // How long a coded file becomes is not announced.
  const announced = isCoded(request.headers)
    ? 0
    : Number(request.headers.get('content-length') ?? 0);
  return new Upload(() => openForm(request), announced - besidesBytesMax);
}

async function openForm(request: Request) {
  const { headers } = request;
  const contentType = headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(contentType))
    throw inputError(
      'Content-Type',
      'INVALID_FORMAT',
      `The body must be multipart/form-data with a part "${filePart}"`,
    );
  if (Number(headers.get('content-length') ?? 0) > bytesMax) throw tooLarge();
  const form = new Form(contentType, bytesOf(request, { bytesMax }));
  try {
    const { stream, name, mimeType } = await form.file();
    return { name, mimeType, content: form.contentOf(stream) };
  } catch (error) {
    await form.leave();
    throw form.faultIn(error);
  }
}

/** A form whose chunks are read one by one, as its file is taken. */
class Form {
  readonly #parser: Busboy;
  readonly #watch: BoundaryWatch;
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #file: FilePart | undefined;
  #parsed: Promise<void> = Promise.resolve();
  #fault: AppError | undefined;

  constructor(contentType: string, chunks: AsyncGenerator<Uint8Array>) {
    this.#parser = parserOf(contentType);
    this.#watch = new BoundaryWatch(contentType);
    this.#chunks = chunks;
    // A parser only tells of a malformed head, and would go on.
    this.#parser.on('error', () => this.#refuse(malformed()));
    this.#parser.on('file', (partName, stream, { filename, mimeType }) => {
      // A stream that fails with nobody at it would end the process.
      stream.on('error', ignore);
      if (partName !== filePart) stream.resume();
      else if (this.#file)
        this.#refuse(
          inputError(
            filePart,
            'REPEATED',
            `The form must have one part "${filePart}", not several`,
          ),
        );
      else this.#file = { stream, name: filename, mimeType };
    });
  }

  async file(): Promise<FilePart> {
    while (!this.#file) {
      const { done, value } = await this.#chunks.next();
      if (done) {
        await this.#end();
        throw inputError(
          filePart,
          'REQUIRED',
          `The form must have a part "${filePart}" that is a file`,
        );
      }
      this.#watch.passes(value);
      this.#parse(value);
      // The parser waits for whoever reads the file it has found.
      if (!this.#file) await this.#parsed;
    }
    return this.#file;
  }

  async *contentOf(stream: Readable): AsyncGenerator<Uint8Array> {
    let isOver = false;
    stream.on('end', () => {
      isOver = true;
    });
    try {
      for (;;) {
        for (let piece: Buffer | null = stream.read(); piece !== null; piece = stream.read())
          yield piece;
        await this.#parsed;
        // The end is told after everything was read, in the next tick.
        await new Promise<void>((resolve) => process.nextTick(resolve));
        if (isOver) break;
        yield* this.#untilParserIsNeeded();
      }
      // What comes behind the file may still be at fault.
      for await (const chunk of this.#chunks) {
        this.#parse(chunk);
        await this.#parsed;
      }
      await this.#end();
    } catch (error) {
      throw this.faultIn(error);
    } finally {
      await this.leave();
    }
  }

  /** Beyond our own refusals only the sender can be at fault: a form that breaks off or is none. */
  faultIn(error: unknown): AppError {
    return this.#fault ?? (error instanceof AppError ? error : malformed());
  }

  #refuse(fault: AppError): void {
    this.#fault ??= fault;
    this.#parser.destroy(fault);
  }

  /** Hands on what is the file's beyond doubt; the chunk after that goes to the parser. */
  async *#untilParserIsNeeded(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const { done, value } = await this.#chunks.next();
      if (done) return await this.#end();
      if (!this.#watch.passes(value)) return this.#parse(value);
      yield value;
    }
  }

  #parse(chunk: Uint8Array): void {
    this.#parsed = new Promise((resolve, reject) => {
      this.#parser.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
    // Awaited as soon as the file was read as far as it goes; until then it must not count as
    // unhandled.
    this.#parsed.catch(ignore);
  }

  /** Rejects where the form is not complete. */
  async #end(): Promise<void> {
    this.#parser.end();
    await finished(this.#parser);
  }

  async leave(): Promise<void> {
    this.#parser.destroy();
    await this.#chunks.return(undefined);
  }
}

type FilePart = { stream: Readable; name: string; mimeType: string };

const ignore = () => undefined;

function parserOf(contentType: string) {
  try {
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      preservePath: true,
    });
  } catch {
    throw inputError(
      'Content-Type',
      'INVALID_FORMAT',
      'The Content-Type must be multipart/form-data with a boundary',
    );
  }
}

const malformed = () =>
  inputError('body', 'INVALID_FORMAT', 'The form is malformed or ends too early');
