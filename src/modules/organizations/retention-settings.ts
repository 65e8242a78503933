import type { Database } from '../../platform/database/database.ts';
import { fragment } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';

/** What an organization keeps of conversations and runs, and how long. */
export type RetentionSettings = {
  keepsConversations: boolean;
  /** Days after the last message. */
  retentionDays: number;
  /** Whether the content of durable runs is kept as long, unless `redactsContent` is true. */
  keepsRunContent: boolean;
  /** Whether e-mail addresses and numbers are removed from what is kept. */
  redactsContent: boolean;
};

/** The columns of `organizations o`. */
export const retentionColumns = fragment`
  o.keeps_conversations as "keepsConversations", o.retention_days as "retentionDays", o.keeps_run_content as "keepsRunContent",
  o.redacts_content as "redactsContent"`;

export async function readRetentionSettings(
  { organizationId }: { organizationId: string },
  { sql }: Pick<Database, 'sql'>,
): Promise<RetentionSettings> {
  const [settings] = await sql<RetentionSettings>`
    select ${retentionColumns} from organizations o where o.id = ${organizationId}`;
  if (!settings) throw notFound('Organization');
  return settings;
}
