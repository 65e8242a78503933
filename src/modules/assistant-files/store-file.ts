import type { Transaction } from '../../platform/database/open-transaction.ts';
import { newId } from '../../platform/ids.ts';
import type { RecordChanges } from '../audit/record-change.ts';
import type { ReceivedFile } from './receive-file.ts';

type StoredFile = ReceivedFile & {
  assistantId: string;
  organizationId: string;
  uploadedById: string;
  at: Date;
  replacesId?: string | null;
  replacesName?: string | null;
  indexedPassages?: number;
};

/** Adds the row of a received file. */
export function storeFile(
  {
    id,
    assistantId,
    organizationId,
    originalName,
    mimeType,
    size,
    hash,
    storageKey,
    uploadedById,
    at,
    replacesId = null,
    replacesName = null,
    indexedPassages = 0,
  }: StoredFile,
  tx: Pick<Transaction, 'enqueue'>,
): void {
  tx.enqueue`
    insert into assistant_files (id, assistant_id, organization_id, original_name, mime_type, size, hash, storage_key, uploaded_by_id,
      replaces_id, replaces_name, indexed_passages, created_at, updated_at)
    values (${id}, ${assistantId}, ${organizationId}, ${originalName}, ${mimeType}, ${size}, ${hash}, ${storageKey}, ${uploadedById},
      ${replacesId}, ${replacesName}, ${indexedPassages}, ${at}, ${at})`;
}

/** Records added files in the audit log. */
export function recordUploads(
  record: RecordChanges,
  assistantId: string,
  files: readonly ReceivedFile[],
): void {
  record(
    ...files.map(({ id, originalName, mimeType, size }) => ({
      action: 'upload-file',
      targetType: 'AssistantFile',
      targetId: id,
      changes: { assistantId, originalName, mimeType, size },
    })),
  );
}

type FileRemovalRequest = {
  organizationId: string;
  assistantId: string;
  document: string;
  storageKeys: readonly string[];
  at: Date;
  /** For how long only the caller removes them; null: the file processor does it at once. */
  leaseSeconds: number | null;
};

/** Lets the file processor delete a document of the vault and its stored files. Returns the id. */
export function requestRemoval(
  { organizationId, assistantId, document, storageKeys, at, leaseSeconds }: FileRemovalRequest,
  tx: Pick<Transaction, 'enqueue'>,
): string {
  const id = newId(at.getTime());
  tx.enqueue`
    insert into file_removals (id, organization_id, collection, document, storage_keys, created_at, lease_until)
    values (${id}, ${organizationId}, ${assistantId}, ${document}, ${storageKeys}, ${at}, clock_timestamp() + make_interval(secs => ${leaseSeconds}))`;
  return id;
}
