import { listedTag } from '../../http/entity-tags.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { fragment } from '../../platform/database/sql.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { AccessLevel, Person } from '../assistants/access.ts';
import { assistantWithLevel, requireLevel } from '../assistants/require-assistant.ts';
import { type AssistantFile, assistantFileColumns, etagOf } from './assistant-file.ts';

type FileKey = { assistantId: string; documentId: string };
type FileRow = { level: AccessLevel | null } & (AssistantFile | { id: null });

type RequireFileInput = FileKey & {
  person: Person;
  level: AccessLevel;
  /** `documentId` may also be the id of the previous version, while runs still search it. */
  orPreviousVersion?: boolean;
};

/**
 * Finds a file of an assistant that this person may use at the level `level`. Any other file is
 * NOT_FOUND.
 */
export async function requireFile(
  { assistantId, documentId, person, level, orPreviousVersion = false }: RequireFileInput,
  { database }: { database: Database },
): Promise<AssistantFile> {
  const hasRequestedId = orPreviousVersion
    ? fragment`${documentId} in (f.id, f.replaces_id)`
    : fragment`f.id = ${documentId}`;
  const [row] = await database.sql<FileRow>`
    select a.level, ${assistantFileColumns}
    from ${assistantWithLevel({ assistantId, person })}
    left join assistant_files f on f.assistant_id = a.id and f.organization_id = a.organization_id and ${hasRequestedId}`;
  const file = requireLevel(row, level);
  if (file.id === null) throw notFound('File');
  return file;
}

/**
 * Reads a file that this request has stored. It checks no rights: the sender learns the result even
 * if they lost access meanwhile.
 */
export async function readStoredFile(
  { organizationId, assistantId, documentId }: FileKey & { organizationId: string },
  { database }: { database: Database },
): Promise<AssistantFile> {
  const [file] = await database.sql<AssistantFile>`
    select ${assistantFileColumns} from assistant_files f
    where f.id = ${documentId} and f.assistant_id = ${assistantId} and f.organization_id = ${organizationId}`;
  if (!file) throw notFound('File');
  return file;
}

/** A file whose row is locked until the transaction ends, with the columns that a change needs. */
export type LockedFile = Pick<
  AssistantFile,
  'id' | 'originalName' | 'size' | 'hash' | 'storageKey' | 'status' | 'replacesId' | 'derivations'
> & {
  indexedPassages: number;
  replacesName: string | null;
};

export async function lockFile(
  { organizationId, assistantId, documentId }: FileKey & { organizationId: string },
  { sql }: Pick<Transaction, 'sql'>,
): Promise<LockedFile> {
  const [file] = await sql<LockedFile>`
    select id, original_name as "originalName", size, hash, indexed_passages as "indexedPassages", storage_key as "storageKey", status,
      replaces_id as "replacesId", replaces_name as "replacesName", derivations
    from assistant_files where id = ${documentId} and assistant_id = ${assistantId} and organization_id = ${organizationId} for update`;
  if (!file) throw notFound('File');
  return file;
}

/**
 * Implements If-Match of HTTP: the change is refused if the file has changed since the sender read
 * it.
 */
export function requireMatchingEtag(ifMatch: string | null | undefined, file: AssistantFile): void {
  if (ifMatch != null && listedTag(ifMatch, etagOf(file), { weakly: false }) === undefined)
    throw new AppError('PRECONDITION_FAILED', 'The file has changed since');
}
