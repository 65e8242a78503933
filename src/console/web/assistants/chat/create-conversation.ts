import { client } from '../../graph/client.ts';
import { type ApiFault, faultOf } from '../../graph/fault.ts';
import { awaitRenewal } from '../../graph/session-expiry.ts';
import { CreateConversationDocument } from '../documents.ts';

type ConversationPlace = { conversationId?: string | undefined; fault?: ApiFault };

/** Without an id the organization keeps no conversations. */
export async function createConversation(assistantId: string): Promise<ConversationPlace> {
  const { data, error } = await client
    .mutation(CreateConversationDocument, { assistantId })
    .toPromise();
  const fault = error && faultOf(error);
  if (!fault && data) return { conversationId: data.createConversation.conversation.id };
  if (fault?.code === 'UNAUTHENTICATED' && (await awaitRenewal()))
    return createConversation(assistantId);
  return fault && fault.reason !== 'CONVERSATIONS_NOT_KEPT' ? { fault } : {};
}
