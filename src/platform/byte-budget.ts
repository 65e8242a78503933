import { AppError } from './errors.ts';

type Budget = {
  /** Over all requests that this process answers at the moment. */
  bytesMax: number;
  /** Over those of one person, organization key or address. */
  ownerBytesMax: number;
};

/** What one request has reserved. */
export type Reservation = { take: (bytes: number) => void; release: () => void };
export type ByteBudget = ReturnType<typeof createByteBudget>;

const retryAfterSeconds = 2;

/**
 * How many bytes of requests are in memory or in temporary files at once. Whoever would exceed it
 * comes again a little later.
 */
export function createByteBudget({ bytesMax, ownerBytesMax }: Budget) {
  const byOwner = new Map<string, number>();
  let total = 0;
  const add = (owner: string, bytes: number) => {
    total += bytes;
    const ofOwner = (byOwner.get(owner) ?? 0) + bytes;
    if (ofOwner > 0) byOwner.set(owner, ofOwner);
    else byOwner.delete(owner);
  };
  return {
    reservationFor(owner: string): Reservation {
      let reserved = 0;
      return {
        take(bytes) {
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
    /** What is reserved at the moment. */
    bytes: () => total,
  };
}
