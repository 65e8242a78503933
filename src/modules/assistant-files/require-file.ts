import type { Database } from '../../platform/database/database.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import { namesTag } from '../../platform/entity-tags.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { AccessLevel, Person } from '../assistants/access.ts';
import { assistantFor, requireLevel } from '../assistants/require-assistant.ts';
import { type AssistantFile, assistantFileColumns, etagOf } from './assistant-file.ts';

type Place = { assistantId: string; documentId: string };
type Row = { level: AccessLevel | null } & (AssistantFile | { id: null });

type RequireFile = Place & {
  person: Person;
  level: AccessLevel;
  /** `documentId` may also name the version that still answers questions in place of a file. */
  orPreviousVersion?: boolean;
};

/**
 * A file of an assistant with which this person may do what is needed. Every other one is not
 * found.
 */
export async function requireFile(
  { assistantId, documentId, person, level, orPreviousVersion = false }: RequireFile,
  { database }: { database: Database },
): Promise<AssistantFile> {
  const isNamed = orPreviousVersion
    ? fragment`${documentId} in (f.id, f.replaces_id)`
    : fragment`f.id = ${documentId}`;
  const [row] = await database.sql<Row>`
    select a.level, ${assistantFileColumns}
    from ${assistantFor({ assistantId, person })}
    left join assistant_files f on f.assistant_id = a.id and f.organization_id = a.organization_id and ${isNamed}`;
  const file = requireLevel(row, level);
  if (file.id === null) throw notFound('File');
  return file;
}

/**
 * A file that this request has stored: whatever rights were lost meanwhile, its sender learns what
 * became of it.
 */
export async function readStored(
  { organizationId, assistantId, documentId }: Place & { organizationId: string },
  { database }: { database: Database },
): Promise<AssistantFile> {
  const [file] = await database.sql<AssistantFile>`
    select ${assistantFileColumns} from assistant_files f
    where f.id = ${documentId} and f.assistant_id = ${assistantId} and f.organization_id = ${organizationId}`;
  if (!file) throw notFound('File');
  return file;
}

/** What a change of a file must know of it, held until the transaction ends. */
export type HeldFile = Pick<
  AssistantFile,
  'id' | 'originalName' | 'size' | 'hash' | 'storageKey' | 'status' | 'replacesId' | 'derivations'
> & {
  indexedPassages: number;
  replacesName: string | null;
};

export async function holdFile(
  { organizationId, assistantId, documentId }: Place & { organizationId: string },
  tx: Prisma.TransactionClient,
): Promise<HeldFile> {
  const [file] = await tx.$queryRaw<HeldFile[]>`
    select id, original_name as "originalName", size, hash, indexed_passages as "indexedPassages", storage_key as "storageKey", status::text as status,
      replaces_id as "replacesId", replaces_name as "replacesName", derivations
    from assistant_files where id = ${documentId} and assistant_id = ${assistantId} and organization_id = ${organizationId} for update`;
  if (!file) throw notFound('File');
  return file;
}

/** Refuses to change what its sender does not know: If-Match of HTTP. */
export function requireTag(ifMatch: string | null | undefined, file: AssistantFile): void {
  if (ifMatch != null && !namesTag(ifMatch, etagOf(file), { weakly: false }))
    throw new AppError('PRECONDITION_FAILED', 'The file has changed since');
}
