import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import {
  type GraphQLOperation,
  Upload as PendingUpload,
  processRequest,
} from 'graphql-upload-minimal';
import { jsonBytesMax } from '../platform/body.ts';
import { bytesOf, isCoded } from '../platform/content-coding.ts';
import { AppError, errorCatalogue, inputError } from '../platform/errors.ts';
import { fileBytesMax, tooLarge, Upload } from './upload.ts';

/** What is asked in a form with a file. `release` lets go of what was not read of it. */
export type UploadForm = { question: Record<string, unknown>; release: () => void };

// The question, the map, and what stands between the parts.
const besidesBytesMax = 3 * jsonBytesMax;
const formBytesMax = fileBytesMax + besidesBytesMax;
// One file for a request: parts come one after another, and who waits for the second never reads
// the first. A file exactly at the parser's limit would pass for one that is cut off.
const limits = { maxFiles: 1, maxFileSize: fileBytesMax + 1, maxFieldSize: jsonBytesMax };

export const isUploadForm = (request: Request): boolean =>
  request.method === 'POST' &&
  /^multipart\/form-data\s*;/i.test(request.headers.get('content-type') ?? '');

/**
 * Reads a form by the GraphQL multipart request specification up to its file, which a resolver
 * reads as it comes.
 */
export async function readUploadForm(request: Request): Promise<UploadForm> {
  if (Number(request.headers.get('content-length') ?? 0) > formBytesMax) throw tooLarge();
  const form = new FormRequest(request);
  const question = await processRequest(form, new ServerResponse(form), limits).catch(
    (error: unknown) => {
      form.destroy();
      throw faultIn(
        form,
        error,
        'The form must follow the GraphQL multipart request specification, with one file',
      );
    },
  );
  if (Array.isArray(question))
    throw inputError('operations', 'WRONG_TYPE', 'operations must be one operation, not a list');
  const announced = isCoded(request.headers)
    ? 0
    : Number(request.headers.get('content-length') ?? 0);
  return {
    question: {
      ...question,
      variables: withUploads(question.variables, form, announced - besidesBytesMax),
    },
    release: () => void form.destroy(),
  };
}

function withUploads(
  variables: GraphQLOperation['variables'],
  form: FormRequest,
  bytesMin: number,
): unknown {
  if (typeof variables !== 'object' || variables === null) return variables;
  const readable = (value: unknown): unknown =>
    value instanceof PendingUpload ? new Upload(() => openPart(value, form), bytesMin) : value;
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(readable) : readable(value),
    ]),
  );
}

async function openPart(pending: PendingUpload, form: FormRequest) {
  const noFile = (error: unknown): never => {
    throw faultIn(form, error, 'The form has no file where its map names one');
  };
  const { filename, mimetype, createReadStream } = await pending.promise.catch(noFile);
  const content = async function* () {
    try {
      yield* createReadStream();
    } catch (error) {
      throw isLimit(error)
        ? tooLarge()
        : faultIn(form, error, 'The form is malformed or ends too early');
    }
  };
  return { name: filename, mimeType: mimetype, content: content() };
}

// The library can have come to the end of a file before anybody reads it.
const isLimit = (error: unknown): boolean =>
  error instanceof Error &&
  'status' in error &&
  error.status === errorCatalogue.PAYLOAD_TOO_LARGE.status;

/** What is wrong with the body itself comes first; else only the form can be at fault. */
const faultIn = (form: FormRequest, error: unknown, otherwise: string): AppError => {
  const fault = form.fault ?? error;
  return fault instanceof AppError ? fault : inputError('body', 'INVALID_FORMAT', otherwise);
};

/** The request as the library knows one: the body under its headers. */
class FormRequest extends IncomingMessage {
  fault: unknown;
  readonly #chunks: AsyncGenerator<Uint8Array, void, undefined>;

  constructor(request: Request) {
    super(new Socket());
    // Until it was read once, an IncomingMessage asks for one chunk and no more.
    super._read(0);
    this.headers['content-type'] = request.headers.get('content-type') ?? '';
    this.#chunks = bytesOf(request, { bytesMax: formBytesMax });
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
