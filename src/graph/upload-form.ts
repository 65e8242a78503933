import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Upload as PendingUpload, processRequest } from 'graphql-upload-minimal';
import { jsonBytesMax } from '../http/body.ts';
import { announcedBytes, bodyChunks } from '../http/content-coding.ts';
import { requireShallow } from '../http/json-depth.ts';
import { malformedForm } from '../http/multipart.ts';
import { fileBytesMax, tooLarge, Upload } from '../http/upload.ts';
import { AppError, errorCatalogue, inputError } from '../platform/errors.ts';

/**
 * The operation of a form with a file. `release` discards the part of the form that was not read.
 */
export type UploadForm = { operation: Record<string, unknown>; release: () => void };

// The operation, the map, and the delimiters between the parts.
const overheadBytesMax = 3 * jsonBytesMax;
const formBytesMax = fileBytesMax + overheadBytesMax;
// One file per request: parts arrive one after another, and a resolver that waits for the second
// file never reads the first. The limit is one byte larger, because the parser reports a file of
// exactly its limit as truncated.
const limits = { maxFiles: 1, maxFileSize: fileBytesMax + 1, maxFieldSize: jsonBytesMax };

/**
 * Reads a form of the GraphQL multipart request specification up to its file, which a resolver then
 * reads as a stream.
 */
export async function readUploadForm(request: Request): Promise<UploadForm> {
  if (Number(request.headers.get('content-length') ?? 0) > formBytesMax) throw tooLarge();
  const form = new FormRequest(request);
  const operation = await processRequest(form, new ServerResponse(form), limits).catch(
    (error: unknown) => {
      form.destroy();
      throw faultIn(
        form,
        error,
        'The form must follow the GraphQL multipart request specification, with one file',
      );
    },
  );
  if (Array.isArray(operation))
    throw inputError('operations', 'WRONG_TYPE', 'operations must be one operation, not a list');
  return {
    operation: {
      ...operation,
      variables: withUploads(
        requireShallow(operation.variables, 'variables'),
        form,
        announcedBytes(request.headers) - overheadBytesMax,
      ),
    },
    release: () => void form.destroy(),
  };
}

function withUploads(value: unknown, form: FormRequest, bytesMin: number): unknown {
  if (value instanceof PendingUpload) return new Upload(() => openPart(value, form), bytesMin);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withUploads(item, form, bytesMin));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withUploads(item, form, bytesMin)]),
  );
}

async function openPart(pending: PendingUpload, form: FormRequest) {
  const rejectMissingFile = (error: unknown): never => {
    throw faultIn(form, error, 'The form has no file where its map names one');
  };
  const { filename, mimetype, createReadStream } = await pending.promise.catch(rejectMissingFile);
  const content = async function* () {
    try {
      yield* createReadStream();
    } catch (error) {
      throw isLimit(error) ? tooLarge() : faultIn(form, error);
    }
  };
  return { name: filename, mimeType: mimetype, content: content() };
}

// The library may reach the end of a file before it is read.
const isLimit = (error: unknown): boolean =>
  error instanceof Error &&
  'status' in error &&
  error.status === errorCatalogue.PAYLOAD_TOO_LARGE.status;

/** A fault of the body takes precedence; otherwise the form is malformed. */
const faultIn = (form: FormRequest, error: unknown, otherwise?: string): AppError => {
  const fault = form.fault ?? error;
  return fault instanceof AppError ? fault : malformedForm(otherwise);
};

/**
 * Adapts the request to the interface of the library: an IncomingMessage with the body and its
 * content type.
 */
class FormRequest extends IncomingMessage {
  fault: unknown;
  readonly #chunks: AsyncGenerator<Uint8Array, void, undefined>;

  constructor(request: Request) {
    super(new Socket());
    // An IncomingMessage reads a single chunk until it was read for the first time.
    super._read(0);
    this.headers['content-type'] = request.headers.get('content-type') ?? '';
    this.#chunks = bodyChunks(request, { bytesMax: formBytesMax });
  }

  override _read(): void {
    this.#chunks.next().then(
      ({ done, value }) => {
        this.complete = done === true;
        this.push(value ?? null);
      },
      (error: unknown) => {
        this.fault = error;
        this.destroy();
      },
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    void this.#chunks.return();
    super._destroy(error, callback);
  }
}
