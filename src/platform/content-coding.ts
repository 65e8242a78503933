import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError, inputError } from './errors.ts';
import { pacedBody, tooLarge, uploadBytesPerSecondMin } from './paced-body.ts';

// "x-gzip" is the same as "gzip" (RFC 9110, section 8.4.1.3). One coding at most: a body that is
// packed twice can keep the decoder busy with a thousand times what was sent without a byte that
// counts against the limit.
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The value of `Accept-Encoding` in an answer to a request with any other coding (RFC 9110, section
 * 12.5.3).
 */
export const acceptedCodings = 'gzip, deflate, br';

const namedCoding = (headers: Headers): string =>
  (headers.get('content-encoding') ?? '').trim().toLowerCase();

export const isCoded = (headers: Headers): boolean =>
  !['', 'identity'].includes(namedCoding(headers));

export const hasKnownCoding = (headers: Headers): boolean =>
  !isCoded(headers) || Object.hasOwn(decoders, namedCoding(headers));

/** The parts of a request that hold its body. */
export type SentBody = {
  headers: Headers;
  body: ReadableStream<Uint8Array> | null;
  signal: AbortSignal;
};

type BodyLimits = {
  /** Counts the decoded bytes. */
  bytesMax: number;
  patienceMs?: number;
};

/** The decoded bytes of a request's body, read at an honest pace. */
export function bytesOf(
  { headers, body, signal }: SentBody,
  limits: BodyLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  const sent = pacedBody(body, { ...limits, bytesPerSecondMin: uploadBytesPerSecondMin, signal });
  if (!isCoded(headers)) return sent;
  const coding = namedCoding(headers);
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
  const watched = async function* () {
    try {
      yield* sent;
    } catch (error) {
      fault = error;
      throw error;
    }
  };
  // Its fault reaches whoever reads the decoder.
  pipeline(watched, decoder).catch(() => undefined);
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
