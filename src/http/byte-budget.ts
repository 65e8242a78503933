import { AppError } from '../platform/errors.ts';

type ByteBudgetLimits = {
  /** For all requests that this process is answering. */
  bytesMax: number;
  /** For the requests of one person, organization key or address. */
  ownerBytesMax: number;
};

/** The bytes that one request has reserved. */
export type ByteReservation = { reserve: (bytes: number) => void; release: () => void };
export type ByteBudget = ReturnType<typeof createByteBudget>;

const retryAfterSeconds = 2;

/**
 * Limits how many bytes of request bodies are in memory or in temporary files at the same time. A
 * request that would exceed a limit is rejected with 503 and Retry-After.
 */
export function createByteBudget({ bytesMax, ownerBytesMax }: ByteBudgetLimits) {
  const byOwner = new Map<string, number>();
  let total = 0;
  const add = (owner: string, bytes: number) => {
    total += bytes;
    const ownerTotal = (byOwner.get(owner) ?? 0) + bytes;
    if (ownerTotal > 0) byOwner.set(owner, ownerTotal);
    else byOwner.delete(owner);
  };
  return {
    reservationFor(owner: string): ByteReservation {
      let reserved = 0;
      return {
        reserve(bytes) {
          if ((byOwner.get(owner) ?? 0) + bytes > ownerBytesMax)
            throw new AppError(
              'UNAVAILABLE',
              'Your requests that are being received are too large together; try again in a few seconds',
              undefined,
              retryAfterSeconds,
            );
          if (total + bytes > bytesMax)
            throw new AppError(
              'UNAVAILABLE',
              'The server is receiving too much data at the moment; try again in a few seconds',
              undefined,
              retryAfterSeconds,
            );
          reserved += bytes;
          add(owner, bytes);
        },
        release() {
          add(owner, -reserved);
          reserved = 0;
        },
      };
    },
    /** The bytes that are currently reserved. */
    bytes: () => total,
  };
}
