import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { Upload } from '../graph/upload.ts';
import { type JsonBody, jsonBytesMax } from '../platform/body.ts';
import type { ByteReservation } from '../platform/byte-budget.ts';
import { bodyChunks, isCoded } from '../platform/content-coding.ts';
import { AppError, type FieldErrorCode, inputError } from '../platform/errors.ts';
import { requireShallow } from '../platform/json-depth.ts';
import { parseJson } from '../platform/parse-json.ts';

export const filesPartName = 'files';
const filesMax = 100;
export const filesBytesMax = 26_214_400;
const fieldsMax = 20;
// A field may be sent as a part with a file name.
const fileParts = filesMax + fieldsMax;
const bytesMax = filesBytesMax + 2 * jsonBytesMax;

/** The content of a part that goes into the hash of the form. */
type PartContent = string | Buffer | undefined;

type FormReadOptions = {
  fieldNames: readonly string[];
  /** The temporary directory of this request. The caller removes it. */
  directory: string;
  reservation: ByteReservation;
};

export const isForm = (headers: Headers): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(headers.get('content-type') ?? '');

/**
 * Reads a form into the object that the JSON body would have. Each field is JSON, sent as text or,
 * as generated clients do, as a part with a file name and a content type. The parts `files` are
 * files: they are written to the directory, where they wait until the operation has checked that
 * the sender may upload them. `bytes` is a hash of all parts that does not depend on the boundary,
 * so that a repeated form has the same fingerprint.
 */
export async function readFormWithFiles(
  request: Request,
  { fieldNames, directory, reservation }: FormReadOptions,
): Promise<JsonBody> {
  const { headers } = request;
  const contentType = headers.get('content-type') ?? '';
  const chunks = bodyChunks(request, { bytesMax });
  const object: Record<string, unknown> = {};
  const files: Upload[] = [];
  // The contents are in the order of the form, even if a file takes long to write.
  const partContents: (PartContent[] | Promise<PartContent[]>)[] = [];
  const parser = parserOf(contentType);
  let firstError: Error | undefined;
  const fail = (error: Error) => {
    firstError ??= error;
    parser.destroy(firstError);
  };
  const failInput = (field: string, code: FieldErrorCode, message: string) =>
    fail(inputError(field, code, message));

  const failFilePart = (name: string) =>
    failInput(
      name,
      'INVALID',
      `The form has a file in a part "${name}"; files must be parts "${filesPartName}"`,
    );

  const parseField = (name: string, text: string) => {
    try {
      object[name] = requireShallow(parseJson(text, name), name);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const addField = (name: string, text: string, isTooLarge: boolean) => {
    if (isTooLarge)
      fail(new AppError('PAYLOAD_TOO_LARGE', `${name} is larger than ${jsonBytesMax} bytes`));
    else if (name === filesPartName)
      failInput(
        filesPartName,
        'WRONG_TYPE',
        `${filesPartName} must be files: each part needs a file name`,
      );
    else if (Object.hasOwn(object, name))
      failInput(name, 'REPEATED', `The form must have one part "${name}", not several`);
    else if (fieldNames.includes(name)) parseField(name, text);
    return [name, text];
  };
  parser.on('field', (name, text, { valueTruncated }) =>
    partContents.push(addField(name, text, valueTruncated)),
  );
  parser.on('file', (name, stream, { filename, mimeType }) => {
    // Without a listener, an error of the stream would end the process.
    stream.on('error', () => undefined);
    const addPart = (part: Promise<PartContent[]>) => {
      part.catch((error: unknown) =>
        parser.destroy(error instanceof AppError ? error : toDiskError(error)),
      );
      partContents.push(part);
    };
    if (name !== filesPartName && fieldNames.includes(name))
      return addPart(
        readText(stream).then(({ text, isTooLarge }) => addField(name, text, isTooLarge)),
      );
    if (name !== filesPartName) return failFilePart(name.slice(0, 100));
    if (files.length === filesMax)
      return failInput(
        filesPartName,
        'TOO_LONG',
        `${filesPartName} must be at most ${filesMax} files`,
      );
    const path = join(directory, String(files.length));
    files.push(
      new Upload(async () => ({ name: filename, mimeType, content: createReadStream(path) })),
    );
    addPart(writeFile(stream, path).then((hash) => [name, filename, hash]));
  });
  parser.on('filesLimit', () =>
    failInput('body', 'TOO_LONG', `The form must have at most ${fileParts} parts with a file name`),
  );
  parser.on('fieldsLimit', () =>
    failInput('body', 'TOO_LONG', `The form must have at most ${fieldsMax} parts besides files`),
  );
  const contentLength = isCoded(headers) ? 0 : Number(headers.get('content-length') ?? 0) || 0;
  // The announced bytes are reserved at once. If twenty forms arrive together, the first ones are
  // served; with a reservation per chunk all of them could fail.
  if (contentLength > 0) reservation.reserve(Math.min(contentLength, bytesMax));
  try {
    await pipeline(contentLength > 0 ? chunks : reserveChunks(chunks, reservation), parser);
    const parts = await Promise.all(partContents);
    // A field with a file name is added when its stream has been read, which can be after the end
    // of the form.
    if (firstError) throw firstError;
    const formHash = createHash('sha256');
    for (const part of parts) addToHash(formHash, part);
    return {
      object: files.length > 0 ? { ...object, [filesPartName]: files } : object,
      bytes: formHash.digest(),
    };
  } catch (error) {
    // The caller must not remove the directory while files are still being written.
    await Promise.allSettled(partContents);
    throw (
      firstError ??
      (error instanceof AppError
        ? error
        : inputError('body', 'INVALID_FORMAT', 'The form is malformed or ends too early'))
    );
  }
}

function parserOf(contentType: string) {
  try {
    const limits = { files: fileParts, fields: fieldsMax, fieldSize: jsonBytesMax };
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
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

/** Adds each content with its length, so that different forms have different hashes. */
function addToHash(formHash: Hash, partContents: readonly PartContent[]): void {
  for (const content of partContents)
    formHash.update(`${Buffer.byteLength(content ?? '')}:`).update(content ?? '');
}

/** Reserves each chunk of a body without a Content-Length when it arrives. */
async function* reserveChunks(
  chunks: AsyncIterable<Uint8Array>,
  reservation: ByteReservation,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    reservation.reserve(chunk.length);
    yield chunk;
  }
}

/** Reads a JSON field that was sent with a file name. The text is cut off at the limit. */
async function readText(part: Readable): Promise<{ text: string; isTooLarge: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of part) {
    bytes += chunk.length;
    if (bytes <= jsonBytesMax) chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString(), isTooLarge: bytes > jsonBytesMax };
}

/** Writes a part of the form to a file and returns its hash. */
async function writeFile(part: Readable, path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  part.on('data', (chunk: Buffer) => hash.update(chunk));
  part.pause();
  const file = await open(path, 'wx', 0o600);
  await pipeline(part, file.createWriteStream());
  return hash.digest();
}

function toDiskError(error: unknown): AppError | Error {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
    return new AppError('STORAGE_FULL', 'No space is left for the files of this request');
  return error instanceof Error ? error : new Error(String(error));
}
