import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type JsonBody, jsonBytesMax } from '../http/body.ts';
import type { ByteReservation } from '../http/byte-budget.ts';
import { announcedBytes, bodyChunks } from '../http/content-coding.ts';
import { requireShallow } from '../http/json-depth.ts';
import { type FormField, type FormFile, formParts, isFile } from '../http/multipart.ts';
import { Upload } from '../http/upload.ts';
import { AppError, inputError } from '../platform/errors.ts';
import { parseJson } from '../platform/parse-json.ts';
import { writeNewFile } from '../platform/write-new-file.ts';

export const filesPartName = 'files';
const filesMax = 100;
export const filesBytesMax = 26_214_400;
const fieldsMax = 20;
const bytesMax = filesBytesMax + 2 * jsonBytesMax;
const limits = {
  // A field may be sent as a part with a file name.
  filesMax: filesMax + fieldsMax,
  fieldsMax,
  fieldBytesMax: jsonBytesMax,
};

type FormReadOptions = {
  fieldNames: readonly string[];
  /** The temporary directory of this request. The caller removes it. */
  directory: string;
  reservation: ByteReservation;
};

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
  const chunks = reserveChunks(bodyChunks(request, { bytesMax }), headers, reservation);
  const object: Record<string, unknown> = {};
  const files: Upload[] = [];
  const formHash = createHash('sha256');

  const addField = ({ name, text, isTruncated }: FormField) => {
    if (isTruncated)
      throw new AppError('PAYLOAD_TOO_LARGE', `${name} is larger than ${jsonBytesMax} bytes`);
    if (name === filesPartName)
      throw inputError(
        filesPartName,
        'WRONG_TYPE',
        `${filesPartName} must be files: each part needs a file name`,
      );
    if (Object.hasOwn(object, name))
      throw inputError(name, 'REPEATED', `The form must have one part "${name}", not several`);
    if (fieldNames.includes(name)) {
      if (text === undefined)
        throw inputError(name, 'INVALID_FORMAT', `${name} is not valid UTF-8`);
      object[name] = requireShallow(parseJson(withoutByteOrderMark(text), name), name);
    }
    addToHash(formHash, [name, text]);
  };

  const addFile = async ({ name, fileName, mimeType, content }: FormFile) => {
    if (name !== filesPartName)
      throw inputError(
        name.slice(0, 100),
        'INVALID',
        `The form has a file in a part "${name.slice(0, 100)}"; files must be parts "${filesPartName}"`,
      );
    if (files.length === filesMax)
      throw inputError(
        filesPartName,
        'TOO_LONG',
        `${filesPartName} must be at most ${filesMax} files`,
      );
    const path = join(directory, String(files.length));
    files.push(
      new Upload(async () => ({ name: fileName, mimeType, content: createReadStream(path) })),
    );
    const { hash } = await writeNewFile(path, content, noSpaceForForm);
    addToHash(formHash, [name, fileName, hash]);
  };

  for await (const part of formParts(headers, chunks, limits)) {
    if (!isFile(part)) addField(part);
    else if (part.name !== filesPartName && fieldNames.includes(part.name))
      addField(await readField(part));
    else await addFile(part);
  }
  return {
    object: files.length > 0 ? { ...object, [filesPartName]: files } : object,
    bytes: formHash.digest(),
  };
}

// Only a call that uploads a file answers 507, and such a call reads no form here.
export const noSpaceForForm = () =>
  new AppError('UNAVAILABLE', 'There is no space left for the files of this request');

/** Adds each content with its length, so that different forms have different hashes. */
function addToHash(formHash: Hash, contents: readonly (string | Buffer | undefined)[]): void {
  for (const content of contents)
    formHash.update(`${Buffer.byteLength(content ?? '')}:`).update(content ?? '');
}

/**
 * Reserves the announced bytes at once: if twenty forms arrive together, the first ones are served;
 * with a reservation per chunk all of them could fail. A body without a Content-Length is reserved
 * chunk by chunk.
 */
async function* reserveChunks(
  chunks: AsyncIterable<Uint8Array>,
  headers: Headers,
  reservation: ByteReservation,
): AsyncGenerator<Uint8Array> {
  const announced = announcedBytes(headers);
  if (announced > 0) reservation.reserve(Math.min(announced, bytesMax));
  for await (const chunk of chunks) {
    if (announced === 0) reservation.reserve(chunk.length);
    yield chunk;
  }
}

/** Reads a JSON field that was sent with a file name. */
async function readField({ name, content }: FormFile): Promise<FormField> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes <= jsonBytesMax) chunks.push(chunk);
  }
  return { name, text: decode(Buffer.concat(chunks)), isTruncated: bytes > jsonBytesMax };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

// A field has the same text whether it is sent with a file name or without.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
// Some editors begin a file with it. A JSON body may begin with it as well.
const withoutByteOrderMark = (text: string) => text.replace(/^\ufeff/, '');
