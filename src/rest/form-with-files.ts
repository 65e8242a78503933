import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { Upload } from '../graph/upload.ts';
import { type JsonBody, jsonBytesMax } from '../platform/body.ts';
import type { Reservation } from '../platform/byte-budget.ts';
import { bytesOf, isCoded } from '../platform/content-coding.ts';
import { AppError, type FieldErrorCode, inputError } from '../platform/errors.ts';
import { requireShallow } from '../platform/json-depth.ts';
import { parseJson } from '../platform/parse-json.ts';

export const filesPart = 'files';
const filesMax = 100;
export const filesBytesMax = 26_214_400;
const fieldsMax = 20;
// A field may come as a part with a file name.
const fileParts = filesMax + fieldsMax;
const bytesMax = filesBytesMax + 2 * jsonBytesMax;

/** Of what stands for a part when two forms are compared. */
type Piece = string | Buffer | undefined;

type FormParts = {
  wanted: readonly string[];
  /** Of this request alone. Whoever made it removes it. */
  directory: string;
  reservation: Reservation;
};

export const isForm = (headers: Headers): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(headers.get('content-type') ?? '');

/**
 * The same object that JSON would hold, from a form: each field is JSON, whether it is sent as text
 * or as a part with a file name and a type of its own, as generated clients do it; and the parts
 * `files` are its files. They are written to the directory, where they wait until the rule of the
 * call has said that it may read them. `bytes` stands for all of it, whatever the boundary was, so
 * that a form that is sent twice is known again.
 */
export async function readFormWithFiles(
  request: Request,
  { wanted, directory, reservation }: FormParts,
): Promise<JsonBody> {
  const { headers } = request;
  const contentType = headers.get('content-type') ?? '';
  const chunks = bytesOf(request, { bytesMax });
  const object: Record<string, unknown> = {};
  const files: Upload[] = [];
  // In the order of the form, however long each file takes to be written.
  const pieces: (Piece[] | Promise<Piece[]>)[] = [];
  const parser = parserOf(contentType);
  let fault: Error | undefined;
  const fail = (error: Error) => {
    fault ??= error;
    parser.destroy(fault);
  };
  const refuse = (field: string, code: FieldErrorCode, message: string) =>
    fail(inputError(field, code, message));

  const refuseFile = (name: string) =>
    refuse(
      name,
      'INVALID',
      `The form has a file in a part "${name}"; files must be parts "${filesPart}"`,
    );

  const readField = (name: string, text: string) => {
    try {
      object[name] = requireShallow(parseJson(text, name), name);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const takeField = (name: string, text: string, isTooLarge: boolean) => {
    if (isTooLarge)
      fail(new AppError('PAYLOAD_TOO_LARGE', `${name} is larger than ${jsonBytesMax} bytes`));
    else if (name === filesPart)
      refuse(filesPart, 'WRONG_TYPE', `${filesPart} must be files: each part needs a file name`);
    else if (Object.hasOwn(object, name))
      refuse(name, 'REPEATED', `The form must have one part "${name}", not several`);
    else if (wanted.includes(name)) readField(name, text);
    return [name, text];
  };
  parser.on('field', (name, text, { valueTruncated }) =>
    pieces.push(takeField(name, text, valueTruncated)),
  );
  parser.on('file', (name, stream, { filename, mimeType }) => {
    // A stream that fails with nobody at it would end the process.
    stream.on('error', () => undefined);
    const taken = (part: Promise<Piece[]>) => {
      part.catch((error: unknown) =>
        parser.destroy(error instanceof AppError ? error : faultOfDisk(error)),
      );
      pieces.push(part);
    };
    if (name !== filesPart && wanted.includes(name))
      return taken(
        readText(stream).then(({ text, isTooLarge }) => takeField(name, text, isTooLarge)),
      );
    if (name !== filesPart) return refuseFile(name.slice(0, 100));
    if (files.length === filesMax)
      return refuse(filesPart, 'TOO_LONG', `${filesPart} must be at most ${filesMax} files`);
    const path = join(directory, String(files.length));
    files.push(
      new Upload(async () => ({ name: filename, mimeType, content: createReadStream(path) })),
    );
    taken(write(stream, path).then((hash) => [name, filename, hash]));
  });
  parser.on('filesLimit', () =>
    refuse('body', 'TOO_LONG', `The form must have at most ${fileParts} parts with a file name`),
  );
  parser.on('fieldsLimit', () =>
    refuse('body', 'TOO_LONG', `The form must have at most ${fieldsMax} parts besides files`),
  );
  const announced = isCoded(headers) ? 0 : Number(headers.get('content-length') ?? 0) || 0;
  // What is announced is reserved at once: of twenty forms that come together the first are served,
  // instead of none.
  if (announced > 0) reservation.take(Math.min(announced, bytesMax));
  try {
    await pipeline(announced > 0 ? chunks : counted(chunks, reservation), parser);
    const parts = await Promise.all(pieces);
    // A part is taken when it has been read, which may be after the end of the form.
    if (fault) throw fault;
    const print = createHash('sha256');
    for (const part of parts) note(print, part);
    return {
      object: files.length > 0 ? { ...object, [filesPart]: files } : object,
      bytes: print.digest(),
    };
  } catch (error) {
    // Nobody removes the directory while files are still being written to it.
    await Promise.allSettled(pieces);
    throw (
      fault ??
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

/** Each piece with its length, so that no two forms look the same. */
function note(print: Hash, pieces: readonly Piece[]): void {
  for (const piece of pieces)
    print.update(`${Buffer.byteLength(piece ?? '')}:`).update(piece ?? '');
}

/** Bytes of which nobody said how many they will be, each reserved as it comes. */
async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  reservation: Reservation,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    reservation.take(chunk.length);
    yield chunk;
  }
}

/** A part that is JSON, though it came with the name of a file. What is too large is not kept. */
async function readText(part: Readable): Promise<{ text: string; isTooLarge: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of part) {
    bytes += chunk.length;
    if (bytes <= jsonBytesMax) chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString(), isTooLarge: bytes > jsonBytesMax };
}

/** Writes a part of the form to a file of its own, and answers with its hash. */
async function write(part: Readable, path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  part.on('data', (chunk: Buffer) => hash.update(chunk));
  part.pause();
  const file = await open(path, 'wx', 0o600);
  await pipeline(part, file.createWriteStream());
  return hash.digest();
}

function faultOfDisk(error: unknown): AppError | Error {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
    return new AppError('STORAGE_FULL', 'No space is left for the files of this request');
  return error instanceof Error ? error : new Error(String(error));
}
