import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { IngestedDocument } from '../../../vault/client.ts';
import { notificationStatement } from '../../notifications/notify.ts';
import type { ClaimedFile } from './claim-file.ts';

type FinishDependencies = { database: Database; clock: Clock };

/** Returns false if another process has claimed the file by now, or the file is deleted. */
export async function completeFile(
  { id, holder }: ClaimedFile,
  ingested: IngestedDocument,
  { database: { sql }, clock }: FinishDependencies,
): Promise<boolean> {
  const { mimeType, derivations, pages, passages, characters, notices } = ingested;
  const completed = await sql`
    update assistant_files
    set status = 'COMPLETED', mime_type = ${mimeType}, derivations = ${derivations}, pages = ${pages}, passages = ${passages}, characters = ${characters},
      notices = ${JSON.stringify(notices)}::jsonb, indexed_passages = ${passages}, reserved_passages = 0,
      stage = null, error_code = null, error_message = null, replaces_id = null, replaces_name = null,
      lease_holder = null, lease_until = null, updated_at = ${clock()}
    where id = ${id} and lease_holder = ${holder} returning id`;
  return completed.length > 0;
}

/**
 * Marks the file as FAILED, and tells the person who uploaded it. Runs keep searching the version that
 * it was to replace.
 */
export async function failFile(
  { id, holder }: ClaimedFile,
  fault: { code: string; message: string },
  { database, clock }: FinishDependencies,
): Promise<void> {
  const at = clock();
  await inTransaction(database, async (tx) => {
    const failed = await tx.sql`
      update assistant_files
      set status = 'FAILED', error_code = ${fault.code}, error_message = ${fault.message}, reserved_passages = 0, stage = null, lease_holder = null, lease_until = null,
        updated_at = ${at}
      where id = ${id} and lease_holder = ${holder} returning id`;
    if (failed.length > 0)
      tx.enqueue`${notificationStatement({ kind: 'FILE_FAILED', recipients: uploaderOf(id), at })}`;
  });
}

const uploaderOf = (fileId: string) => fragment`
  select f.organization_id, f.uploaded_by_id as user_id, f.id as subject_id, f.assistant_id, null::text as conversation_id
  from assistant_files f where f.id = ${fileId}`;
