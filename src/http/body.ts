import { AppError, inputError } from '../platform/errors.ts';
import { jsonKindOf, parseJson } from '../platform/parse-json.ts';
import { bodyChunks, isCoded } from './content-coding.ts';
import { requireShallow } from './json-depth.ts';
import { tooLarge } from './paced-body.ts';

export const jsonBytesMax = 1_048_576;
const bodyTimeMs = 15_000;

export type JsonBody = { object: Record<string, unknown>; bytes: Uint8Array };

export const emptyBody: JsonBody = { object: {}, bytes: new Uint8Array() };

export type JsonBodyOptions = {
  bytesMax?: number;
  /** The media types that the call takes, for the error of another one. */
  acceptedTypes?: string;
};

/**
 * The parsed object of a JSON body and the bytes as they were sent. An empty body counts as an
 * empty object.
 */
export async function readJsonBody(
  request: Request,
  { bytesMax = jsonBytesMax, acceptedTypes = 'application/json' }: JsonBodyOptions = {},
): Promise<JsonBody> {
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > bytesMax) throw tooLarge(bytesMax);
  // Without a type the body may be empty, which only its first chunk tells.
  if (announced > 0 || (isChunked(request) && request.headers.has('content-type')))
    requireJson(request, acceptedTypes);
  const bytes = await inTime(readBytes(request, announced, bytesMax));
  if (bytes.length === 0) return emptyBody;
  requireJson(request, acceptedTypes);
  return { object: parseObject(bytes), bytes };
}

export const readJsonObject = async (request: Request): Promise<Record<string, unknown>> =>
  (await readJsonBody(request)).object;

const isChunked = ({ headers }: Request): boolean => headers.has('transfer-encoding');

/**
 * Unknown parameters of the media type are ignored. The only accepted charset is UTF-8 (RFC 8259,
 * section 8.1).
 */
function requireJson(request: Request, acceptedTypes: string): void {
  const [type, ...parameters] = (request.headers.get('content-type') ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const hasOtherCharset = parameters.some(
    (parameter) =>
      parameter.startsWith('charset=') && !/^charset=("utf-?8"|utf-?8)$/.test(parameter),
  );
  if (type !== 'application/json')
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The body must be ${acceptedTypes}`);
  if (hasOtherCharset)
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be in UTF-8, and not have another charset',
    );
}

function parseObject(bytes: Uint8Array): Record<string, unknown> {
  const value = parseJson(textOf(bytes), 'body');
  if (!isObject(value))
    throw inputError(
      'body',
      'WRONG_TYPE',
      `The body must be a JSON object, not ${jsonKindOf(value)}`,
    );
  return requireShallow(value);
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw inputError('body', 'INVALID_FORMAT', 'The body is not valid UTF-8');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function inTime(body: Promise<Uint8Array>): Promise<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('REQUEST_TIMEOUT', 'The body did not arrive in time')),
      bodyTimeMs,
    );
  });
  try {
    return await Promise.race([body, late]);
  } finally {
    clearTimeout(timer);
  }
}

// A body ends too early only when its sender closes the connection.
const rejectIncomplete = () =>
  Promise.reject(inputError('body', 'INVALID_FORMAT', 'The body ended too early'));

function readBytes(request: Request, announced: number, bytesMax: number): Promise<Uint8Array> {
  const isPresent = announced > 0 || isChunked(request);
  if (isPresent && isCoded(request.headers)) return readDecoded(request, bytesMax);
  return announced > 0 ? readAnnounced(request, announced) : readLimited(request.body, bytesMax);
}

async function readDecoded(request: Request, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of bodyChunks(request, { bytesMax })) chunks.push(chunk);
  } catch (error) {
    if (error instanceof AppError) throw error;
    return rejectIncomplete();
  }
  return Buffer.concat(chunks);
}

/**
 * node:http delivers at most the announced number of bytes, and fewer if the sender disconnects.
 */
async function readAnnounced(request: Request, length: number): Promise<Uint8Array> {
  const bytes = await request.bytes().catch(rejectIncomplete);
  return bytes.length < length ? rejectIncomplete() : bytes;
}

async function readLimited(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  while (reader) {
    const { done, value } = await reader.read().catch(rejectIncomplete);
    if (done) break;
    length += value.length;
    if (length > bytesMax) throw tooLarge(bytesMax);
    chunks.push(value);
  }
  return Buffer.concat(chunks, length);
}
