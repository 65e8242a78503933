import { sealAll } from '../../src/modules/audit/sealing/schedule-sealing.ts';
import {
  createReceiptCipher,
  createReceiptKeys,
} from '../../src/modules/runs/receipts/receipt-keys.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { settleEvents } from './settle-events.ts';

const log = { warn: () => undefined, error: () => undefined };

export const createSealKeys = (database: Database, clock: Clock = () => new Date()) =>
  createReceiptKeys({
    ...{ database, clock, log },
    cipher: createReceiptCipher('a secret of tests'),
  });

/** Seals all entries that are committed by now. */
export async function sealNow(
  database: Database,
  { clock = () => new Date(), signingKeys = createSealKeys(database, clock) } = {},
): Promise<void> {
  await settleEvents(database);
  await sealAll({ database, clock, signingKeys, log });
}
