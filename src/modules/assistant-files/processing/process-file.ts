import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { AppError, type ErrorCode } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { StoredObjectMissing } from '../../../platform/storage/stored-object.ts';
import { explainVaultFault, VaultRefusal } from '../../../vault/client.ts';
import { reservePassages } from '../../quotas/reserve-passages.ts';
import type { FileServices } from '../file-services.ts';
import {
  type ClaimedFile,
  postpone,
  recordStage,
  releaseFile,
  renewEveryMs,
  renewLease,
} from './claim-file.ts';
import { completeFile, failFile } from './finish-file.ts';

export type FileOutcome = 'completed' | 'failed' | 'postponed';

export type ProcessingDependencies = {
  database: Database;
  files: Pick<FileServices, 'storage' | 'vault' | 'quotas'>;
  clock: Clock;
  log: Log;
  /** Called with the outcome of each file. */
  processed?: (outcome: FileOutcome) => void;
};

// A file that fails this often for an unexpected reason is not retried, so that it cannot occupy
// the workers forever.
const attemptsMax = 6;
const deletionCheckRetryMs = 1_000;
const reservationRetrySeconds = 1;
// A file may be what kills the process each time. A file that has been claimed this often fails
// without another attempt.
const claimsMax = 10;

/**
 * Sends a file to the vault. Afterwards the file is COMPLETED, waits for its next attempt, or is
 * FAILED with a reason that its owner can read.
 */
export async function processFile(
  file: ClaimedFile,
  dependencies: ProcessingDependencies,
  stopping: AbortSignal,
): Promise<void> {
  const { log } = dependencies;
  if (file.attempts > claimsMax) return fail(file, unprocessable, dependencies);
  const leaseLost = new AbortController();
  const renewalTimer = setInterval(() => {
    renewLease(file, dependencies).then(
      (isOurs) => isOurs || leaseLost.abort(),
      (error: unknown) =>
        log.warn({ err: error, file: file.id }, 'The lease of a file could not be renewed'),
    );
  }, renewEveryMs);
  try {
    await ingest(file, dependencies, AbortSignal.any([stopping, leaseLost.signal]));
  } catch (error) {
    if (stopping.aborted) return await releaseFile(file, dependencies);
    try {
      if (!leaseLost.signal.aborted) await handleFailure(file, error, dependencies);
    } finally {
      await ensureNotLeftBehind(file, dependencies, stopping);
    }
  } finally {
    clearInterval(renewalTimer);
  }
}

async function ingest(
  file: ClaimedFile,
  dependencies: ProcessingDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { storage, vault, quotas } = dependencies.files;
  const {
    assistantId: collection,
    organizationId: tenant,
    id: document,
    replacesId,
    originalName: fileName,
    size: bytes,
  } = file;
  let stageRecorded: Promise<void> = Promise.resolve();
  const onStage = ({ stage }: { stage: string }) => {
    stageRecorded = stageRecorded
      .then(() => recordStage(file, stage, dependencies))
      .catch((error: unknown) =>
        dependencies.log.warn({ err: error }, 'The stage of a file could not be recorded'),
      );
  };
  const passagesMax = await reservePassages(
    { fileId: file.id, passagesLimit: quotas.limits.passages },
    dependencies,
  );
  if (passagesMax === null)
    return postpone(file, { seconds: reservationRetrySeconds, isCounted: false }, dependencies);
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
    await stageRecorded;
    if (ingested.hash !== file.hash)
      throw new Error('the vault read other bytes than were uploaded');
    if (await completeFile(file, ingested, dependencies)) dependencies.processed?.('completed');
    else await removeIfDeleted(file, dependencies);
  } finally {
    body.destroy();
  }
}

/**
 * The vault may already hold the document. If the file was deleted meanwhile, that deletion did not
 * find the document there, so it must be removed now. This is retried until the database and the
 * vault answer.
 */
async function ensureNotLeftBehind(
  file: ClaimedFile,
  dependencies: ProcessingDependencies,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      return await removeIfDeleted(file, dependencies);
    } catch {
      await wait(deletionCheckRetryMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

/**
 * Removes the document from the vault if the file was deleted or replaced meanwhile: nobody else
 * knows of this document.
 */
async function removeIfDeleted(
  { assistantId, id }: ClaimedFile,
  { database, files: { vault } }: ProcessingDependencies,
): Promise<void> {
  const [row] = await database.sql`select id from assistant_files where id = ${id}`;
  if (!row) await vault.remove({ collection: assistantId, document: id });
}

async function handleFailure(
  file: ClaimedFile,
  error: unknown,
  dependencies: ProcessingDependencies,
): Promise<void> {
  if (error instanceof VaultRefusal && error.reason === 'QUOTA_EXCEEDED')
    return fail(file, tooManyPassages, dependencies);
  if (error instanceof VaultRefusal)
    return fail(file, { code: error.reason, message: error.message }, dependencies);
  if (error instanceof StoredObjectMissing)
    return fail(
      file,
      { code: 'ORIGINAL_LOST', message: 'The stored file is gone; upload it again' },
      dependencies,
    );
  if (error instanceof AppError && temporaryFaultCodes.includes(error.code)) {
    dependencies.log.warn(
      { file: file.id, code: error.code, reason: explainVaultFault(error) },
      'The vault or the file storage is out of reach or full; the file waits for it',
    );
    return retryLater(
      file,
      { seconds: retryDelaySeconds(file, dependencies.clock), isCounted: false },
      dependencies,
    );
  }
  dependencies.log.warn(
    { err: error, file: file.id, attempt: file.attempts },
    'A file could not be processed',
  );
  if (file.attempts >= attemptsMax) return fail(file, unprocessable, dependencies);
  await retryLater(file, { seconds: 2 ** file.attempts, isCounted: true }, dependencies);
}

async function fail(
  file: ClaimedFile,
  fault: { code: string; message: string },
  dependencies: ProcessingDependencies,
): Promise<void> {
  await failFile(file, fault, dependencies);
  dependencies.processed?.('failed');
}

async function retryLater(
  file: ClaimedFile,
  pause: { seconds: number; isCounted: boolean },
  dependencies: ProcessingDependencies,
): Promise<void> {
  await postpone(file, pause, dependencies);
  dependencies.processed?.('postponed');
}

// These errors are faults of the vault or of the storage, not of the file. The file is retried until
// they are back or have room again.
const temporaryFaultCodes: readonly ErrorCode[] = ['UNAVAILABLE', 'STORAGE_FULL'];

const tooManyPassages = {
  code: 'QUOTA_EXCEEDED',
  message:
    'The file has more passages than are left of the quota of your organization; delete files that are no longer needed, or ask platform support for a higher quota, and upload it again',
};

const unprocessable = {
  code: 'PROCESSING_FAILED',
  message: 'The file could not be processed; upload it again, or ask for help',
};

// The delay grows with the time that the file has waited already, from 1 to 30 seconds.
const retryDelaySeconds = ({ createdAt }: ClaimedFile, clock: Clock): number =>
  Math.min(30, Math.max(1, (clock().getTime() - Date.parse(createdAt)) / 10_000));
