import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { AppError, type ErrorCode } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { NotStored } from '../../../platform/storage/storage.ts';
import { VaultRefusal } from '../../../vault/client.ts';
import { reservePassages } from '../../quotas/reserve-passages.ts';
import type { Files } from '../files.ts';
import {
  type ClaimedFile,
  giveBack,
  noteStage,
  postpone,
  renewEveryMs,
  renewLease,
} from './claim-file.ts';
import { completeFile, failFile } from './finish-file.ts';

export type FileOutcome = 'completed' | 'failed' | 'postponed';

export type ProcessingParts = {
  database: Database;
  files: Pick<Files, 'storage' | 'vault' | 'quotas'>;
  clock: Clock;
  log: Log;
  /** Is told what came of each file. */
  processed?: (outcome: FileOutcome) => void;
};

// A file that fails so often for reasons that nobody expected is not tried again, lest it take the
// workers from all others.
const attemptsMax = 6;
const askAgainMs = 1_000;
const untilOthersAreReadSeconds = 1;
// A process may be killed for many reasons; a file at which it dies each time is one of them.
const claimsMax = 10;

/**
 * Hands a file to the vault. Whatever happens, the file is then in a state from which it goes on,
 * or its sender knows why it does not.
 */
export async function processFile(
  file: ClaimedFile,
  parts: ProcessingParts,
  stopping: AbortSignal,
): Promise<void> {
  const { log } = parts;
  if (file.attempts > claimsMax) return giveUp(file, unprocessable, parts);
  const lost = new AbortController();
  const renewing = setInterval(() => {
    renewLease(file, parts).then(
      (isOurs) => isOurs || lost.abort(),
      (error: unknown) => log.warn({ err: error, file: file.id }, 'a lease could not be renewed'),
    );
  }, renewEveryMs);
  try {
    await ingest(file, parts, AbortSignal.any([stopping, lost.signal]));
  } catch (error) {
    if (stopping.aborted) return await giveBack(file, parts);
    try {
      if (!lost.signal.aborted) await settle(file, error, parts);
    } finally {
      await leaveNothing(file, parts, stopping);
    }
  } finally {
    clearInterval(renewing);
  }
}

async function ingest(
  file: ClaimedFile,
  parts: ProcessingParts,
  signal: AbortSignal,
): Promise<void> {
  const { storage, vault, quotas } = parts.files;
  const {
    assistantId: collection,
    organizationId: tenant,
    id: document,
    replacesId,
    originalName: fileName,
    size: bytes,
  } = file;
  let noted: Promise<void> = Promise.resolve();
  const onStage = ({ stage }: { stage: string }) => {
    noted = noted
      .then(() => noteStage(file, stage, parts))
      .catch((error: unknown) => parts.log.warn({ err: error }, 'a stage could not be noted'));
  };
  const passagesMax = await reservePassages(
    { fileId: file.id, passagesLimit: quotas.limits.passages },
    parts,
  );
  if (passagesMax === null)
    return postpone(file, { seconds: untilOthersAreReadSeconds, isCounted: false }, parts);
  const body = await storage.get(file.storageKey);
  try {
    const replaces = replacesId === null ? {} : { replaces: replacesId };
    const ingested = await vault.ingest({
      collection,
      document,
      body,
      bytes,
      tenant,
      fileName,
      passagesMax,
      ...replaces,
      onStage,
      signal,
    });
    await noted;
    if (ingested.hash !== file.hash)
      throw new Error('the vault has read other bytes than were uploaded');
    if (await completeFile(file, ingested, parts)) parts.processed?.('completed');
    else await forgetIfGone(file, parts);
  } finally {
    body.destroy();
  }
}

/**
 * The vault may have it by now, and whoever has deleted the file meanwhile did not find it there:
 * that is asked until it is known.
 */
async function leaveNothing(
  file: ClaimedFile,
  parts: ProcessingParts,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      return await forgetIfGone(file, parts);
    } catch {
      await wait(askAgainMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

/**
 * The file was deleted or replaced meanwhile: then nobody else knows of what has just been indexed.
 */
async function forgetIfGone(
  { assistantId, id }: ClaimedFile,
  { database, files: { vault } }: ProcessingParts,
): Promise<void> {
  const [there] = await database.sql`select id from assistant_files where id = ${id}`;
  if (!there) await vault.remove({ collection: assistantId, document: id });
}

async function settle(file: ClaimedFile, error: unknown, parts: ProcessingParts): Promise<void> {
  if (error instanceof VaultRefusal && error.reason === 'QUOTA_EXCEEDED')
    return giveUp(file, tooManyPassages, parts);
  if (error instanceof VaultRefusal)
    return giveUp(file, { code: error.reason, message: error.message }, parts);
  if (error instanceof NotStored)
    return giveUp(
      file,
      { code: 'ORIGINAL_LOST', message: 'The stored file is gone; upload it again' },
      parts,
    );
  if (error instanceof AppError && vaultsOwn.includes(error.code)) {
    parts.log.warn(
      { file: file.id, code: error.code },
      'the vault is out of reach or full; the file waits for it',
    );
    return tryLater(file, { seconds: pauseByAge(file, parts.clock), isCounted: false }, parts);
  }
  parts.log.warn(
    { err: error, file: file.id, attempt: file.attempts },
    'a file could not be processed',
  );
  if (file.attempts >= attemptsMax) return giveUp(file, unprocessable, parts);
  await tryLater(file, { seconds: 2 ** file.attempts, isCounted: true }, parts);
}

async function giveUp(
  file: ClaimedFile,
  fault: { code: string; message: string },
  parts: ProcessingParts,
): Promise<void> {
  await failFile(file, fault, parts);
  parts.processed?.('failed');
}

async function tryLater(
  file: ClaimedFile,
  pause: { seconds: number; isCounted: boolean },
  parts: ProcessingParts,
): Promise<void> {
  await postpone(file, pause, parts);
  parts.processed?.('postponed');
}

// No fault of the file: it is read when the vault is back or has room again.
const vaultsOwn: readonly ErrorCode[] = ['UNAVAILABLE', 'STORAGE_FULL'];

const tooManyPassages = {
  code: 'QUOTA_EXCEEDED',
  message:
    'The file has more passages than are left of the quota of your organization; delete files that are no longer needed, or ask platform support for a higher quota, and upload it again',
};

const unprocessable = {
  code: 'PROCESSING_FAILED',
  message: 'The file could not be processed; upload it again, or ask for help',
};

// The longer a file has waited already, the less a longer pause matters to it.
const pauseByAge = ({ createdAt }: ClaimedFile, clock: Clock): number =>
  Math.min(30, Math.max(1, (clock().getTime() - Date.parse(createdAt)) / 10_000));
