import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { IngestedDocument } from '../../../vault/client.ts';
import type { ClaimedFile } from './claim-file.ts';

type Parts = { database: Database; clock: Clock };

/** False where the file is another's by now, or gone. */
export async function completeFile(
  { id, holder }: ClaimedFile,
  findings: IngestedDocument,
  { database: { sql }, clock }: Parts,
): Promise<boolean> {
  const { mimeType, derivations, pages, passages, characters } = findings;
  const completed = await sql`
    update assistant_files
    set status = 'COMPLETED', mime_type = ${mimeType}, derivations = ${derivations}, pages = ${pages}, passages = ${passages}, characters = ${characters},
      indexed_passages = ${passages}, reserved_passages = 0,
      stage = null, error_code = null, error_message = null, replaces_id = null, replaces_name = null,
      lease_holder = null, lease_until = null, updated_at = ${clock()}
    where id = ${id} and lease_holder = ${holder} returning id`;
  return completed.length > 0;
}

/** What it was to replace goes on answering questions. */
export async function failFile(
  { id, holder }: ClaimedFile,
  fault: { code: string; message: string },
  { database: { sql }, clock }: Parts,
): Promise<void> {
  await sql`
    update assistant_files
    set status = 'FAILED', error_code = ${fault.code}, error_message = ${fault.message}, reserved_passages = 0, stage = null, lease_holder = null, lease_until = null,
      updated_at = ${clock()}
    where id = ${id} and lease_holder = ${holder}`;
}
