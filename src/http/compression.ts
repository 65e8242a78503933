import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { preferredCoding } from './accept.ts';
import { codedTag } from './entity-tags.ts';
import { type CompressedText, TextResponse } from './text-response.ts';

// Brotli at quality 4 takes the time of gzip at its default level, and its result is 10 to 15 %
// smaller.
const brotliOptions = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};
const gzipInPool = promisify(gzip);
const brotliInPool = promisify(brotliCompress);

const compressors = {
  br: (text: string): CompressedText =>
    isShort(text) ? brotliCompressSync(text, brotliOptions) : brotliInPool(text, brotliOptions),
  gzip: (text: string): CompressedText => (isShort(text) ? gzipSync(text) : gzipInPool(text)),
};

/**
 * A short text is compressed at once. That takes less time than in the thread pool, where it would
 * also wait behind uploads that are written to disk. A long text would block the event loop.
 */
const isShort = (text: string) => text.length <= 32_768;

/** The codings of responses, in the order of our preference. */
const codings = ['br', 'gzip'] as const;

/** Smaller bodies fit into one or two packets, and the client needs time to decode them. */
const bytesMin = 1_024;

const isSmall = (bytes: number) => bytes < bytesMin;

/** The Vary header of a response that is sent in several codings. */
export const varyByCoding = ({ vary }: Record<string, string>): string =>
  vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;

/** Adds the Vary header that the response with this text would have (RFC 9110, section 15.4.5). */
export function addVaryOfUnmodified(headers: Record<string, string>, text: string): void {
  if (!isSmall(Buffer.byteLength(text))) headers['vary'] = varyByCoding(headers);
}

/**
 * The response in the coding that the client prefers. Responses whose text is not known as a whole
 * are sent unchanged: event streams, which would be held back, and downloads, which are continued by
 * ranges.
 *
 * `Cache-Control: no-transform` marks a body that can hold a secret, such as a new key: the length
 * of a compressed body tells how similar its parts are, so that somebody who chooses one part can
 * guess another (BREACH).
 */
export async function compressResponse(request: Request, response: Response): Promise<Response> {
  if (!(response instanceof TextResponse)) return response;
  const { status, headers } = response.head;
  if (
    isSmall(Number(headers['content-length'])) ||
    headers['cache-control']?.includes('no-transform')
  )
    return response;
  const acceptEncoding = request.headers.get('accept-encoding');
  const coding = preferredCoding(acceptEncoding, codings);
  // Nothing stores an answer with `no-store`, so one to a client without the header stays the same.
  const isStored = headers['cache-control'] !== 'no-store';
  if (coding === undefined && acceptEncoding === null && !isStored) return response;
  const varyingHeaders = { ...headers, vary: varyByCoding(headers) };
  if (coding === undefined)
    return new TextResponse(response.content, { status, headers: varyingHeaders });
  const { content, compressedForms } = response;
  const compressed = compressedForms?.get(coding) ?? compressors[coding](String(content));
  compressedForms?.set(coding, compressed);
  const tag = headers['etag'];
  return new TextResponse(await compressed, {
    status,
    headers: {
      ...varyingHeaders,
      ...(tag === undefined ? {} : { etag: codedTag(tag, coding) }),
      'content-encoding': coding,
    },
  });
}
