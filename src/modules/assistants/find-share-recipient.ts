import type { Database } from '../../platform/database/database.ts';
import { InputError, notFound } from '../../platform/errors.ts';
import type { ShareRecipient } from './share-assistant.ts';

type RecipientInput = {
  organizationId: string;
  userId: string | null;
  email: string | null;
  teamId: string | null;
};

/**
 * Resolves the recipient of a share from at most one of userId, email and teamId. Without any of
 * them the recipient is everybody in the organization.
 */
export async function findShareRecipient(
  { organizationId, userId, email, teamId }: RecipientInput,
  { database }: { database: Database },
): Promise<ShareRecipient> {
  const namedRecipients = Object.entries({ userId, email, teamId }).filter(
    ([, name]) => name !== null,
  );
  if (namedRecipients.length > 1)
    throw new InputError(
      namedRecipients.map(([field]) => ({
        field,
        code: 'INVALID',
        message: `${field}: give only one of userId, email and teamId`,
      })),
    );
  if (teamId !== null) return { userId: null, teamId };
  if (userId !== null) return { userId, teamId: null };
  if (email === null) return { userId: null, teamId: null };
  const [member] = await database.sql<{
    id: string;
  }>`select id from members where "organizationId" = ${organizationId} and email = ${email}`;
  if (!member) throw notFound('User');
  return { userId: member.id, teamId: null };
}
