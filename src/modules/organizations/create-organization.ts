import type { Prisma } from '../../platform/database/generated/client.ts';
import { newId } from '../../platform/ids.ts';
import { nameKeyOf } from '../teams/team.ts';
import { joinOrganization } from './join-organization.ts';

type CreateOrganizationInput = {
  slug: string;
  name: string;
  features: readonly string[];
  seatLimit?: number | null;
  administrator: { id: string; createdAt: Date };
  at: Date;
};

const defaultTeamName = 'Everyone';

/** Creates an organization with its default team and an administrator, who joins that team. */
export async function createOrganization(
  { administrator, features, at, ...fields }: CreateOrganizationInput,
  tx: Prisma.TransactionClient,
): Promise<{ id: string; defaultTeamId: string }> {
  const id = newId(at.getTime());
  const defaultTeamId = newId(at.getTime());
  await tx.organization.create({
    data: { ...fields, id, features: [...features], createdAt: at },
    select: { id: true },
  });
  await tx.team.create({
    data: {
      id: defaultTeamId,
      organizationId: id,
      name: defaultTeamName,
      nameKey: nameKeyOf(defaultTeamName),
      isDefault: true,
      createdAt: at,
    },
    select: { id: true },
  });
  await joinOrganization({ organizationId: id, user: administrator, role: 'ADMIN', at }, tx);
  return { id, defaultTeamId };
}
