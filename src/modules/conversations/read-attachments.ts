import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { ConversationOwner } from './conversation.ts';

/** A file that was sent with a question. */
export type Attachment = {
  id: string;
  messageId: string;
  originalName: string;
  mimeType: string;
  size: number;
  hash: string;
  createdAt: string;
};

/** An attachment as an export has it. */
export type AttachmentSummary = Pick<Attachment, 'originalName' | 'mimeType' | 'size'>;

type StoredFile = Attachment & { storageKey: string };

/** The attachments of messages that the caller has access to, in the order of the messages. */
export async function readAttachments(
  { messageIds, organizationId }: { messageIds: readonly string[]; organizationId: string },
  { sql }: Pick<Database, 'sql'>,
): Promise<StoredFile[]> {
  return sql<StoredFile>`
    select id, message_id as "messageId", original_name as "originalName", mime_type as "mimeType", size, hash,
      created_at as "createdAt", storage_key as "storageKey"
    from conversation_attachments where message_id = any(${messageIds}) and organization_id = ${organizationId} order by id`;
}

/** Finds an attachment in a conversation of this person. Any other one is NOT_FOUND. */
export async function requireAttachment(
  { attachmentId, organizationId, userId }: ConversationOwner & { attachmentId: string },
  { sql }: Pick<Database, 'sql'>,
): Promise<StoredFile> {
  const [attachment] = await sql<StoredFile>`
    select a.id, a.message_id as "messageId", a.original_name as "originalName", a.mime_type as "mimeType", a.size, a.hash,
      a.created_at as "createdAt", a.storage_key as "storageKey"
    from conversation_attachments a join conversations c on c.id = a.conversation_id
    where a.id = ${attachmentId} and a.organization_id = ${organizationId} and c.organization_id = ${organizationId} and c.user_id = ${userId}`;
  if (!attachment) throw notFound('Attachment');
  return attachment;
}
