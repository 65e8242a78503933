import type { Database } from '../../platform/database/database.ts';

/**
 * The characters of the messages that are read for one export. They bound its memory; a single
 * conversation can have four million.
 */
const charactersMax = 20_000_000;

/**
 * All conversations of a person in all organizations for the export of their data, the newest first,
 * with their messages, the names of attachments and the feedback. Only the newest ones, if they are very long.
 */
export async function exportConversations(
  { userId }: { userId: string },
  { prisma, sql }: Pick<Database, 'prisma' | 'sql'>,
): Promise<object[]> {
  const newest = await sql<{ id: string }>`
    select id from (
      select id, sum(characters) over (order by updated_at desc, id desc) as total from conversations where user_id = ${userId}) counted
    where total <= ${charactersMax}::bigint`;
  return prisma.conversation.findMany({
    where: { userId, id: { in: newest.map(({ id }) => id) } },
    orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
    select: {
      ...{ id: true, organizationId: true, assistantId: true, title: true, isPinned: true },
      ...{ sharedAt: true, createdAt: true, updatedAt: true },
      messages: {
        orderBy: { position: 'asc' },
        select: {
          ...{ id: true, parentId: true, role: true, text: true, content: true, state: true },
          ...{ model: true, citations: true, citationDetails: true, createdAt: true },
          attachments: { select: { originalName: true, mimeType: true, size: true } },
          feedback: {
            where: { userId },
            select: {
              ...{ mark: true, reason: true, comment: true, givenOn: true },
              ...{ sharedQuestion: true, sharedAnswer: true },
            },
          },
        },
      },
    },
  });
}
