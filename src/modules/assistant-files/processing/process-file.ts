import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { NotStored } from '../../../platform/storage/storage.ts';
import { VaultRefusal } from '../../../vault/client.ts';
import type { Files } from '../files.ts';
import { type ClaimedFile, giveBack, noteStage, postpone, renewEveryMs, renewLease } from './claim-file.ts';
import { completeFile, failFile } from './finish-file.ts';

export type ProcessingParts = { database: Database; files: Pick<Files, 'storage' | 'vault'>; clock: Clock; log: Log };

// A file that fails so often for reasons that nobody expected is not tried again, lest it take the workers from all others.
const attemptsMax = 6;
// A process may be killed for many reasons; a file at which it dies each time is one of them.
const claimsMax = 10;

/** Hands a file to the vault. Whatever happens, the file is then in a state from which it goes on, or its sender knows why it does not. */
export async function processFile(file: ClaimedFile, parts: ProcessingParts, stopping: AbortSignal): Promise<void> {
  const { log } = parts;
  if (file.attempts > claimsMax) return failFile(file, unprocessable, parts);
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
    if (lost.signal.aborted) return;
    if (stopping.aborted) return await giveBack(file, parts);
    await settle(file, error, parts);
  } finally {
    clearInterval(renewing);
  }
}

async function ingest(file: ClaimedFile, parts: ProcessingParts, signal: AbortSignal): Promise<void> {
  const { storage, vault } = parts.files;
  const { assistantId: collection, id: document, replacesId, originalName: fileName, size: bytes } = file;
  let noted: Promise<void> = Promise.resolve();
  const onStage = ({ stage }: { stage: string }) => {
    noted = noted.then(() => noteStage(file, stage, parts)).catch((error: unknown) => parts.log.warn({ err: error }, 'a stage could not be noted'));
  };
  const body = await storage.get(file.storageKey);
  try {
    const replaces = replacesId === null ? {} : { replaces: replacesId };
    const ingested = await vault.ingest({ collection, document, body, bytes, fileName, ...replaces, onStage, signal });
    await noted;
    if (ingested.hash !== file.hash) throw new Error('the vault has read other bytes than were uploaded');
    if (!(await completeFile(file, ingested, parts))) await forgetIfGone(file, parts);
  } finally {
    body.destroy();
  }
}

/** The file was deleted or replaced meanwhile: then nobody else knows of what has just been indexed. */
async function forgetIfGone({ assistantId, id }: ClaimedFile, { database, files: { vault } }: ProcessingParts): Promise<void> {
  const [there] = await database.sql`select id from assistant_files where id = ${id}`;
  if (!there) await vault.remove({ collection: assistantId, document: id });
}

async function settle(file: ClaimedFile, error: unknown, parts: ProcessingParts): Promise<void> {
  if (error instanceof VaultRefusal) return failFile(file, { code: error.reason, message: error.message }, parts);
  if (error instanceof NotStored) return failFile(file, { code: 'ORIGINAL_LOST', message: 'The stored file is gone; upload it again' }, parts);
  if (error instanceof AppError && error.code === 'UNAVAILABLE') {
    parts.log.warn({ file: file.id }, 'the vault is out of reach; the file waits for it');
    return postpone(file, { seconds: pauseByAge(file, parts.clock), isCounted: false }, parts);
  }
  parts.log.warn({ err: error, file: file.id, attempt: file.attempts }, 'a file could not be processed');
  if (file.attempts >= attemptsMax) return failFile(file, unprocessable, parts);
  await postpone(file, { seconds: 2 ** file.attempts, isCounted: true }, parts);
}

const unprocessable = { code: 'PROCESSING_FAILED', message: 'The file could not be processed; upload it again, or ask for help' };

// The longer a file has waited already, the less a longer pause matters to it.
const pauseByAge = ({ createdAt }: ClaimedFile, clock: Clock): number => Math.min(30, Math.max(1, (clock().getTime() - Date.parse(createdAt)) / 10_000));
