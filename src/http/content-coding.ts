import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError, inputError } from '../platform/errors.ts';
import { pacedBody, tooLarge, uploadBytesPerSecondMin } from './paced-body.ts';

// "x-gzip" equals "gzip" (RFC 9110, section 8.4.1.3). Only one coding is accepted: a body that was
// compressed twice could keep the outer decoder busy with a thousand times the bytes that were
// sent, none of which count against the limit.
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The `Accept-Encoding` header of the response to a request with an unsupported coding (RFC 9110,
 * section 12.5.3).
 */
export const acceptedCodings = 'gzip, deflate, br';

const codingOf = (headers: Headers): string =>
  (headers.get('content-encoding') ?? '').trim().toLowerCase();

export const isCoded = (headers: Headers): boolean => !['', 'identity'].includes(codingOf(headers));

/** The size of the body according to its Content-Length; 0 if unknown, as for a compressed body. */
export const announcedBytes = (headers: Headers): number =>
  isCoded(headers) ? 0 : Number(headers.get('content-length') ?? 0) || 0;

export const hasKnownCoding = (headers: Headers): boolean =>
  !isCoded(headers) || Object.hasOwn(decoders, codingOf(headers));

/** The parts of a request that are needed to read its body. */
export type RequestBody = {
  headers: Headers;
  body: ReadableStream<Uint8Array> | null;
  signal: AbortSignal;
};

type BodyLimits = {
  /** Maximum size after decoding. */
  bytesMax: number;
  patienceMs?: number;
};

/**
 * The decoded bytes of a request body. A sender that is slower than the minimum rate is cut off.
 */
export function bodyChunks(
  { headers, body, signal }: RequestBody,
  limits: BodyLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  const sent = pacedBody(body, { ...limits, bytesPerSecondMin: uploadBytesPerSecondMin, signal });
  if (!isCoded(headers)) return sent;
  const coding = codingOf(headers);
  const createDecoder = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
  if (!createDecoder)
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The Content-Encoding must be one of ${acceptedCodings}, or absent`,
    );
  return decode(sent, createDecoder(), { coding, bytesMax: limits.bytesMax });
}

async function* decode(
  sent: AsyncIterable<Uint8Array>,
  decoder: Transform,
  { coding, bytesMax }: { coding: string; bytesMax: number },
) {
  let fault: unknown;
  const withFault = async function* () {
    try {
      yield* sent;
    } catch (error) {
      fault = error;
      throw error;
    }
  };
  // The error also destroys the decoder, so it reaches the loop below.
  pipeline(withFault, decoder).catch(() => undefined);
  let bytes = 0;
  try {
    for await (const chunk of decoder) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    if (fault !== undefined) throw fault;
    throw error instanceof AppError
      ? error
      : inputError(
          'body',
          'INVALID_FORMAT',
          `The body is not valid ${coding}, though its Content-Encoding says so`,
        );
  }
}
