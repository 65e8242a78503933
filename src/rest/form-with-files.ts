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
const bytesMax = filesBytesMax + 2 * jsonBytesMax;

type FormParts = {
  wanted: readonly string[];
  /** Of this request alone. Whoever made it removes it. */
  directory: string;
  reservation: Reservation;
};

export const isForm = (headers: Headers): boolean => /^multipart\/form-data\s*(;|$)/i.test(headers.get('content-type') ?? '');

/**
 * The same object that JSON would hold, from a form: each field is JSON, and the parts `files` are its files. They are written to
 * the directory, where they wait until the rule of the call has said that it may read them. `bytes` stands for all of it, whatever
 * the boundary was, so that a form that is sent twice is known again.
 */
export async function readFormWithFiles(request: Request, { wanted, directory, reservation }: FormParts): Promise<JsonBody> {
  const { headers } = request;
  const contentType = headers.get('content-type') ?? '';
  const chunks = bytesOf(request, { bytesMax });
  const object: Record<string, unknown> = {};
  const files: Upload[] = [];
  const written: Promise<void>[] = [];
  const print = createHash('sha256');
  const parser = parserOf(contentType);
  const refuse = (field: string, code: FieldErrorCode, message: string) => void parser.destroy(inputError(field, code, message));

  const readField = (name: string, text: string) => {
    try {
      object[name] = requireShallow(parseJson(text, name), name);
    } catch (error) {
      parser.destroy(error instanceof Error ? error : undefined);
    }
  };

  parser.on('field', (name, text, { valueTruncated }) => {
    if (valueTruncated) parser.destroy(new AppError('PAYLOAD_TOO_LARGE', `${name} is larger than ${jsonBytesMax} bytes`));
    else if (name === filesPart) refuse(filesPart, 'WRONG_TYPE', `${filesPart} must be files: each part needs a file name`);
    else if (Object.hasOwn(object, name)) refuse(name, 'REPEATED', `The form must have one part "${name}", not several`);
    else if (wanted.includes(name)) readField(name, text);
    note(print, name, text);
  });
  parser.on('file', (name, stream, { filename, mimeType }) => {
    // A stream that fails with nobody at it would end the process.
    stream.on('error', () => undefined);
    if (name !== filesPart) return stream.resume();
    const path = join(directory, String(files.length));
    files.push(new Upload(async () => ({ name: filename, mimeType, content: createReadStream(path) })));
    const file = write(stream, path).then((hash) => note(print, name, filename, hash));
    file.catch((error: unknown) => parser.destroy(error instanceof AppError ? error : faultOfDisk(error)));
    written.push(file);
  });
  parser.on('filesLimit', () => refuse(filesPart, 'TOO_LONG', `${filesPart} must be at most ${filesMax} files`));
  parser.on('fieldsLimit', () => refuse('body', 'TOO_LONG', `The form must have at most ${fieldsMax} parts besides files`));
  const announced = isCoded(headers) ? 0 : Number(headers.get('content-length') ?? 0) || 0;
  // What is announced is reserved at once: of twenty forms that come together the first are served, instead of none.
  if (announced > 0) reservation.take(Math.min(announced, bytesMax));
  try {
    await pipeline(announced > 0 ? chunks : counted(chunks, reservation), parser);
    await Promise.all(written);
  } catch (error) {
    // Nobody removes the directory while files are still being written to it.
    await Promise.allSettled(written);
    throw error instanceof AppError ? error : inputError('body', 'INVALID_FORMAT', 'The form is malformed or ends too early');
  }
  return { object: files.length > 0 ? { ...object, [filesPart]: files } : object, bytes: print.digest() };
}

function parserOf(contentType: string) {
  try {
    const limits = { files: filesMax, fields: fieldsMax, fieldSize: jsonBytesMax };
    return busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8', preservePath: true, limits });
  } catch {
    throw inputError('Content-Type', 'INVALID_FORMAT', 'The Content-Type must be multipart/form-data with a boundary');
  }
}

/** Each piece with its length, so that no two forms look the same. */
function note(print: Hash, ...pieces: (string | Buffer | undefined)[]): void {
  for (const piece of pieces) print.update(`${Buffer.byteLength(piece ?? '')}:`).update(piece ?? '');
}

/** Bytes of which nobody said how many they will be, each reserved as it comes. */
async function* counted(chunks: AsyncIterable<Uint8Array>, reservation: Reservation): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    reservation.take(chunk.length);
    yield chunk;
  }
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
