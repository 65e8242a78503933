import { createHash, type Hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { Upload } from '../graph/upload.ts';
import { type JsonBody, jsonBytesMax } from '../platform/body.ts';
import { AppError } from '../platform/errors.ts';
import { pacedBody, uploadBytesPerSecondMin } from '../platform/paced-body.ts';

export const filesPart = 'files';
const filesMax = 100;
export const filesBytesMax = 26_214_400;
const fieldsMax = 20;
const bytesMax = filesBytesMax + 2 * jsonBytesMax;

export const isForm = (headers: Headers): boolean => /^multipart\/form-data\s*(;|$)/i.test(headers.get('content-type') ?? '');

/**
 * The same object that JSON would hold, from a form: each field is JSON, and the parts `files` are its files. They are for one
 * call and small enough to wait in memory until its rule has said that it may read them. `bytes` stands for all of it, whatever
 * the boundary was, so that a form that is sent twice is known again.
 */
export async function readFormWithFiles({ headers, body, signal }: Request, wanted: readonly string[]): Promise<JsonBody> {
  const contentType = headers.get('content-type') ?? '';
  const object: Record<string, unknown> = {};
  const files: Upload[] = [];
  const print = createHash('sha256');
  const parser = parserOf(contentType);
  const refuse = (message: string) => parser.destroy(new AppError('BAD_INPUT', message));

  parser.on('field', (name, text, { valueTruncated }) => {
    if (valueTruncated) parser.destroy(new AppError('PAYLOAD_TOO_LARGE', `${name} is larger than ${jsonBytesMax} bytes`));
    else if (name === filesPart) refuse(`${filesPart} must be files`);
    else if (Object.hasOwn(object, name)) refuse(`The form must have one part "${name}", not several`);
    else if (wanted.includes(name)) object[name] = parsed(text) ?? refuse(`${name} is not valid JSON`);
    note(print, name, text);
  });
  parser.on('file', (name, stream, { filename, mimeType }) => {
    const chunks: Buffer[] = [];
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => name === filesPart && chunks.push(chunk));
    stream.on('end', () => {
      if (name !== filesPart) return;
      const content = Buffer.concat(chunks);
      note(print, name, filename, content);
      files.push(new Upload(async () => ({ name: filename, mimeType, content: once(content) })));
    });
  });
  parser.on('filesLimit', () => refuse(`${filesPart} must be at most ${filesMax}`));
  parser.on('fieldsLimit', () => refuse('The form has too many parts'));
  await pipeline(pacedBody(body, { bytesMax, bytesPerSecondMin: uploadBytesPerSecondMin, signal }), parser).catch((error: unknown) => {
    throw error instanceof AppError ? error : new AppError('BAD_INPUT', 'The form is malformed or ends too early');
  });
  return { object: files.length > 0 ? { ...object, [filesPart]: files } : object, bytes: print.digest() };
}

function parserOf(contentType: string) {
  try {
    const limits = { files: filesMax, fields: fieldsMax, fieldSize: jsonBytesMax };
    return busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8', preservePath: true, limits });
  } catch {
    throw new AppError('BAD_INPUT', 'The Content-Type must be multipart/form-data with a boundary');
  }
}

/** Undefined, which no JSON says, for what is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Each piece with its length, so that no two forms look the same. */
function note(print: Hash, ...pieces: (string | Buffer | undefined)[]): void {
  for (const piece of pieces) print.update(`${Buffer.byteLength(piece ?? '')}:`).update(piece ?? '');
}

async function* once(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
