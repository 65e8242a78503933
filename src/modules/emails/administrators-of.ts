import type { Language } from '../../platform/database/generated/client.ts';
import type { Sql } from '../../platform/database/sql.ts';

/** The address of a person, and the language in which they get mails. */
export type EmailRecipient = { to: string; language: Language };

/** The administrators of an organization, who get mails about its budgets and webhooks. */
export const administratorsOf = (
  organizationId: string,
  { sql }: { sql: Sql },
): Promise<EmailRecipient[]> =>
  sql<EmailRecipient>`
    select u.email as "to", coalesce(u.language, 'EN') as language from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.role = 'ADMIN' and m.accepted_at is not null order by u.email`;
