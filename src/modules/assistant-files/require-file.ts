import type { Database } from '../../platform/database/database.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { namesTag } from '../../platform/entity-tags.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { type AssistantFile, assistantFileColumns, etagOf } from './assistant-file.ts';

type Asked = { organizationId: string; assistantId: string; documentId: string };

/** A file of this assistant. Every other one is not found. */
export async function requireFile({ organizationId, assistantId, documentId }: Asked, { database }: { database: Database }): Promise<AssistantFile> {
  const [file] = await database.sql<AssistantFile>`
    select ${assistantFileColumns} from assistant_files f
    where f.id = ${documentId} and f.assistant_id = ${assistantId} and f.organization_id = ${organizationId}`;
  if (!file) throw notFound('File');
  return file;
}

/** What a change of a file must know of it, held until the transaction ends. */
export type HeldFile = Pick<AssistantFile, 'id' | 'originalName' | 'hash' | 'storageKey' | 'status' | 'replacesId' | 'derivations'>;

export async function holdFile({ organizationId, assistantId, documentId }: Asked, tx: Prisma.TransactionClient): Promise<HeldFile> {
  const [file] = await tx.$queryRaw<HeldFile[]>`
    select id, original_name as "originalName", hash, storage_key as "storageKey", status::text as status, replaces_id as "replacesId", derivations
    from assistant_files where id = ${documentId} and assistant_id = ${assistantId} and organization_id = ${organizationId} for update`;
  if (!file) throw notFound('File');
  return file;
}

/** Refuses to change what its sender does not know: If-Match of HTTP. */
export function requireTag(ifMatch: string | null | undefined, file: AssistantFile): void {
  if (ifMatch != null && !namesTag(ifMatch, etagOf(file), { weakly: false })) throw new AppError('PRECONDITION_FAILED', 'The file has changed since');
}
