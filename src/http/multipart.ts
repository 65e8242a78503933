import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import busboy, { type Busboy } from 'busboy';
import { AppError, inputError } from '../platform/errors.ts';
import { BoundaryDetector } from './boundary-detector.ts';

/**
 * A field of a form. The text of a field that is too long is cut off. It is undefined if the bytes
 * are not valid UTF-8, or not in the charset that the part names.
 */
export type FormField = { name: string; text: string | undefined; isTruncated: boolean };

/** A file of a form. The content can be read once, before the next part. */
export type FormFile = {
  name: string;
  fileName: string | undefined;
  mimeType: string;
  content: AsyncGenerator<Uint8Array>;
};

export type FormPart = FormField | FormFile;
export const isFile = (part: FormPart): part is FormFile => 'content' in part;

type FormLimits = {
  /** Files, and fields that have a file name. */
  filesMax?: number;
  fieldsMax?: number;
  fieldBytesMax?: number;
};

export const isForm = (headers: Headers): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(headers.get('content-type') ?? '');

export const malformedForm = (message = 'The form is malformed or ends too early'): AppError =>
  inputError('body', 'INVALID_FORMAT', message);

/**
 * The parts of a form in their order, read from the body only as far as the reader has come. Files
 * that the reader leaves out are skipped. The parts end only if the form is complete; every error
 * of theirs is an AppError.
 */
export async function* formParts(
  headers: Headers,
  chunks: AsyncGenerator<Uint8Array>,
  limits: FormLimits = {},
): AsyncGenerator<FormPart, void, undefined> {
  const form = new FormReader(headers.get('content-type') ?? '', chunks, limits);
  try {
    for (;;) {
      for (let part = form.parts.shift(); part; part = form.parts.shift()) {
        if (part instanceof AppError) throw part;
        yield part;
        if (isFile(part)) for await (const _ of part.content);
      }
      if (!(await form.readMore())) return;
    }
  } finally {
    await form.close();
  }
}

/** Parses a form chunk by chunk. */
class FormReader {
  /** The parts, and broken limits, that were parsed and not yet taken. */
  readonly parts: (FormPart | AppError)[] = [];
  readonly #parser: Busboy;
  readonly #boundaryDetector: BoundaryDetector;
  readonly #chunks: AsyncGenerator<Uint8Array>;
  /** Whether the last chunk was parsed. The parser waits until its last file is read. */
  #parsed: Promise<void> = Promise.resolve();
  /** Whether the bytes of U+FFFD were parsed, which the parser also writes for invalid UTF-8. */
  #hasReplacementCharacter = false;
  #lastBytes: Uint8Array = new Uint8Array();

  constructor(contentType: string, chunks: AsyncGenerator<Uint8Array>, limits: FormLimits) {
    const { filesMax = Infinity, fieldsMax = Infinity, fieldBytesMax = 1_048_576 } = limits;
    this.#parser = parserOf(contentType, {
      files: filesMax,
      fields: fieldsMax,
      fieldSize: fieldBytesMax,
    });
    this.#boundaryDetector = new BoundaryDetector(contentType);
    this.#chunks = chunks;
    // The parser reports a malformed part header but would go on.
    this.#parser.on('error', () => this.#parser.destroy());
    this.#parser.on('field', (name, text, { valueTruncated }) =>
      this.parts.push({
        name: decodeName(name ?? ''),
        text: this.#isDecoded(text) ? text : undefined,
        isTruncated: valueTruncated,
      }),
    );
    this.#parser.on('file', (name, stream, { filename, mimeType }) => {
      // Without a listener, an error of the stream would end the process.
      stream.on('error', ignoreError);
      const content = this.#contentOf(stream);
      this.parts.push({
        ...{ name: decodeName(name ?? ''), mimeType, content },
        fileName: filename === undefined ? undefined : decodeName(filename),
      });
    });
    const rejectTooMany = (kind: string) =>
      this.parts.push(inputError('body', 'TOO_LONG', `The form must have at most ${kind}`));
    this.#parser.on('filesLimit', () => rejectTooMany(`${filesMax} parts with a file name`));
    this.#parser.on('fieldsLimit', () => rejectTooMany(`${fieldsMax} parts besides files`));
  }

  /** Parses the next chunk. Returns false after the end of the form. */
  readMore(): Promise<boolean> {
    return asFormError(async () => {
      await this.#parsed;
      const { done, value } = await this.#chunks.next();
      if (done) {
        await this.#end();
        return false;
      }
      this.#boundaryDetector.isPartContent(value);
      this.#parse(value);
      return true;
    });
  }

  async close(): Promise<void> {
    this.#parser.destroy();
    await this.#chunks.return(undefined);
  }

  async *#contentOf(stream: Readable): AsyncGenerator<Uint8Array> {
    for (;;) {
      for (let chunk: Buffer | null = stream.read(); chunk !== null; chunk = stream.read())
        yield chunk;
      // The `end` event comes in the tick after the last chunk was read.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      if (stream.readableEnded) return;
      let passed = await this.#nextContent();
      for (; passed; passed = await this.#nextContent()) yield passed;
    }
  }

  /** The next chunk if it belongs entirely to the current file. Any other goes to the parser. */
  #nextContent(): Promise<Uint8Array | undefined> {
    return asFormError(async () => {
      await this.#parsed;
      const { done, value } = await this.#chunks.next();
      if (done) await this.#end();
      else if (this.#boundaryDetector.isPartContent(value)) return value;
      else this.#parse(value);
      return undefined;
    });
  }

  /** The parser has no text of a field whose charset it does not know. */
  #isDecoded(text: string | undefined): boolean {
    return text !== undefined && (this.#hasReplacementCharacter || !text.includes('\ufffd'));
  }

  #parse(chunk: Uint8Array): void {
    const bytes = Buffer.concat([this.#lastBytes, chunk]);
    this.#hasReplacementCharacter ||= bytes.includes('\ufffd');
    this.#lastBytes = bytes.subarray(-2);
    this.#parsed = new Promise((resolve, reject) => {
      this.#parser.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
    // The promise is awaited after the parsed parts were read. Until then a rejection must not
    // count as unhandled.
    this.#parsed.catch(ignoreError);
  }

  /** Ends the parser. Rejects if the form is incomplete. */
  async #end(): Promise<void> {
    this.#parser.end();
    await finished(this.#parser);
  }
}

const ignoreError = () => undefined;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const windows1252 = new TextDecoder('windows-1252');

/**
 * The name of a part or a file, which the parser gives as one character for each byte. The standard
 * is UTF-8 (RFC 7578, section 5.1); old clients send the character set of their system. The parser
 * has decoded a name in `filename*` already. If all its characters are below U+0100, it is decoded
 * again, which changes nothing unless these characters are by chance valid UTF-8 when taken as bytes.
 */
function decodeName(name: string): string {
  if (/[^\0-\xff]/.test(name)) return name;
  const bytes = Buffer.from(name, 'latin1');
  try {
    return utf8.decode(bytes);
  } catch {
    return windows1252.decode(bytes);
  }
}

/** Every error that is not an AppError comes from the form: it is malformed or incomplete. */
async function asFormError<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof AppError ? error : malformedForm();
  }
}

function parserOf(contentType: string, limits: busboy.Limits): Busboy {
  try {
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'latin1',
      preservePath: true,
      limits,
    });
  } catch {
    throw inputError(
      'Content-Type',
      'INVALID_FORMAT',
      'The Content-Type must be multipart/form-data with a boundary',
    );
  }
}
