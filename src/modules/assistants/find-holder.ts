import type { Database } from '../../platform/database/database.ts';
import { InputError, notFound } from '../../platform/errors.ts';
import type { Holder } from './share-assistant.ts';

type Named = {
  organizationId: string;
  userId: string | null;
  email: string | null;
  teamId: string | null;
};

/**
 * Who is meant: at most one of a user, by id or e-mail address, and a team; where nobody is named,
 * everybody.
 */
export async function findHolder(
  { organizationId, userId, email, teamId }: Named,
  { database }: { database: Database },
): Promise<Holder> {
  const named = Object.entries({ userId, email, teamId }).filter(([, name]) => name !== null);
  if (named.length > 1)
    throw new InputError(
      named.map(([field]) => ({
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
