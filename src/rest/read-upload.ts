import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import busboy, { type Busboy } from 'busboy';
import { fileBytesMax, tooLarge, Upload } from '../graph/upload.ts';
import { bodyChunks, isCoded } from '../platform/content-coding.ts';
import { AppError, inputError } from '../platform/errors.ts';
import { BoundaryDetector } from './boundary-detector.ts';

/** The name of the part that holds the file. */
export const filePart = 'file';

// The bytes that a form may have in addition to the file: boundaries, headers and ignored fields.
const overheadBytesMax = 1_048_576;
const bytesMax = fileBytesMax + overheadBytesMax;

/**
 * Returns the file of a multipart form. Neither the content type nor the body is read before the
 * operation opens the upload.
 */
export function readUpload(request: Request): Upload {
  // The Content-Length of a compressed body does not tell the size of the file.
  const contentLength = isCoded(request.headers)
    ? 0
    : Number(request.headers.get('content-length') ?? 0);
  return new Upload(() => openForm(request), contentLength - overheadBytesMax);
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
  const form = new UploadForm(contentType, bodyChunks(request, { bytesMax }));
  try {
    const { stream, name, mimeType } = await form.readFile();
    return { name, mimeType, content: form.contentOf(stream) };
  } catch (error) {
    await form.close();
    throw form.toFormError(error);
  }
}

/** Parses a form chunk by chunk while its file is read. */
class UploadForm {
  readonly #parser: Busboy;
  readonly #boundaryDetector: BoundaryDetector;
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #file: FormFile | undefined;
  #parsed: Promise<void> = Promise.resolve();
  #firstError: AppError | undefined;

  constructor(contentType: string, chunks: AsyncGenerator<Uint8Array>) {
    this.#parser = parserOf(contentType);
    this.#boundaryDetector = new BoundaryDetector(contentType);
    this.#chunks = chunks;
    // The parser reports a malformed part header but would go on, so the form is failed here.
    this.#parser.on('error', () => this.#fail(malformedForm()));
    this.#parser.on('file', (partName, stream, { filename, mimeType }) => {
      // Without a listener, an error of the stream would end the process.
      stream.on('error', ignoreError);
      if (partName !== filePart) stream.resume();
      else if (this.#file)
        this.#fail(
          inputError(
            filePart,
            'REPEATED',
            `The form must have one part "${filePart}", not several`,
          ),
        );
      else this.#file = { stream, name: filename, mimeType };
    });
  }

  async readFile(): Promise<FormFile> {
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
      this.#boundaryDetector.isPartContent(value);
      this.#parse(value);
      // Once the file is found, the parser waits until the file is read.
      if (!this.#file) await this.#parsed;
    }
    return this.#file;
  }

  async *contentOf(stream: Readable): AsyncGenerator<Uint8Array> {
    let hasEnded = false;
    stream.on('end', () => {
      hasEnded = true;
    });
    try {
      for (;;) {
        for (let chunk: Buffer | null = stream.read(); chunk !== null; chunk = stream.read())
          yield chunk;
        await this.#parsed;
        // The `end` event comes in the tick after the last chunk was read.
        await new Promise<void>((resolve) => process.nextTick(resolve));
        if (hasEnded) break;
        yield* this.#passThrough();
      }
      // The rest of the form is parsed too, because it can be invalid.
      for await (const chunk of this.#chunks) {
        this.#parse(chunk);
        await this.#parsed;
      }
      await this.#end();
    } catch (error) {
      throw this.toFormError(error);
    } finally {
      await this.close();
    }
  }

  /** Every error that is not an AppError comes from the form: it is malformed or incomplete. */
  toFormError(error: unknown): AppError {
    return this.#firstError ?? (error instanceof AppError ? error : malformedForm());
  }

  #fail(fault: AppError): void {
    this.#firstError ??= fault;
    this.#parser.destroy(fault);
  }

  /**
   * Yields the chunks that belong entirely to the file; the first other chunk goes to the parser.
   */
  async *#passThrough(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const { done, value } = await this.#chunks.next();
      if (done) return await this.#end();
      if (!this.#boundaryDetector.isPartContent(value)) return this.#parse(value);
      yield value;
    }
  }

  #parse(chunk: Uint8Array): void {
    this.#parsed = new Promise((resolve, reject) => {
      this.#parser.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
    // The promise is awaited after the file's buffered chunks were read. Until then a rejection
    // must not count as unhandled.
    this.#parsed.catch(ignoreError);
  }

  /** Ends the parser. Rejects if the form is incomplete. */
  async #end(): Promise<void> {
    this.#parser.end();
    await finished(this.#parser);
  }

  async close(): Promise<void> {
    this.#parser.destroy();
    await this.#chunks.return(undefined);
  }
}

type FormFile = { stream: Readable; name: string; mimeType: string };

const ignoreError = () => undefined;

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

const malformedForm = () =>
  inputError('body', 'INVALID_FORMAT', 'The form is malformed or ends too early');
