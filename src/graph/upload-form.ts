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
const filesMax = 20;
// The limit is one byte larger, because the parser reports a file of exactly its limit as truncated.
const limits = { maxFiles: filesMax, maxFileSize: fileBytesMax + 1, maxFieldSize: jsonBytesMax };

/**
 * Reads a form of the GraphQL multipart request specification up to its first file. Resolvers then
 * read the files as streams, in the order in which they arrive.
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
        `The form must have the fields operations and map, both JSON objects, and then at most ${filesMax} files`,
      );
    },
  );
  if (Array.isArray(operation))
    throw inputError('operations', 'WRONG_TYPE', 'operations must be one operation, not a list');
  const parts = new FileParts(form);
  const variables = withUploads(
    requireShallow(operation.variables, 'variables'),
    parts,
    announcedBytes(request.headers) - overheadBytesMax,
  );
  parts.requireOrder();
  return {
    operation: { ...operation, variables },
    release: () => void form.destroy(),
  };
}

/** `list` is the list that the value is an item of. */
function withUploads(value: unknown, parts: FileParts, bytesMin: number, list?: unknown): unknown {
  if (value instanceof PendingUpload) return parts.add(value, bytesMin, list);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withUploads(item, parts, bytesMin, value));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withUploads(item, parts, bytesMin)]),
  );
}

const wrongOrder = () =>
  inputError('map', 'INVALID', 'The files of a form must come in the order of the variables');

/**
 * The files of a form, in the order of the variables. Parts arrive one after another, so a reader of
 * a later file gets an error if the earlier one is not being read; it would wait forever otherwise.
 */
class FileParts {
  readonly #form: FormRequest;
  readonly #pending: PendingUpload[] = [];
  #list: unknown;
  #openedCount = 0;

  constructor(form: FormRequest) {
    this.#form = form;
  }

  /** Several files are the items of one list, whose resolver reads all of them. */
  add(pending: PendingUpload, bytesMin: number, list: unknown): Upload {
    const index = this.#pending.push(pending) - 1;
    if (index === 0) this.#list = list;
    else if (list === undefined || list !== this.#list)
      throw inputError('map', 'INVALID', 'A form carries one file, or the files of one list');
    // Of several files only the sum is announced.
    return new Upload(() => this.#open(pending, index), index === 0 ? bytesMin : 0);
  }

  /** Ends the form if its files arrive in another order than that of the variables. */
  requireOrder(): void {
    let arrivedCount = 0;
    for (const [index, { promise }] of this.#pending.entries())
      promise.then(
        () => {
          if (index !== arrivedCount) this.#form.fail(wrongOrder());
          arrivedCount += 1;
        },
        () => undefined,
      );
  }

  async #open(pending: PendingUpload, index: number) {
    if (index > this.#openedCount) throw wrongOrder();
    this.#openedCount = Math.max(this.#openedCount, index + 1);
    const form = this.#form;
    const rejectMissingFile = (error: unknown): never => {
      throw faultIn(form, error, 'The form has no file where its map names one');
    };
    const { filename, mimetype, createReadStream } = await pending.promise.catch(rejectMissingFile);
    // A short form has arrived completely before its order is known.
    if (form.fault instanceof AppError) throw form.fault;
    const isOneOfSeveral = this.#pending.length > 1;
    const content = async function* () {
      let isComplete = false;
      try {
        yield* createReadStream();
        isComplete = true;
      } catch (error) {
        throw isLimit(error) ? tooLarge() : faultIn(form, error);
      } finally {
        // The parts behind a file that is not read to its end never arrive.
        if (!isComplete && isOneOfSeveral) form.destroy();
      }
    };
    return { name: filename, mimeType: mimetype, content: content() };
  }
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

  fail(fault: AppError): void {
    this.fault = fault;
    this.destroy();
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
