import type { Transaction } from '../../platform/database/open-transaction.ts';
import { newId } from '../../platform/ids.ts';
import { nameKeyOf } from '../teams/team.ts';
import { joinOrganization } from './join-organization.ts';

type CreateOrganizationInput = {
  slug: string;
  name: string;
  features: readonly string[];
  seatLimit?: number | null;
  administrator: { id: string; createdAt: Date | string };
  at: Date;
};

const defaultTeamName = 'Everyone';

/** Creates an organization with its default team and an administrator, who joins that team. */
export async function createOrganization(
  { slug, name, features, seatLimit = null, administrator, at }: CreateOrganizationInput,
  tx: Transaction,
): Promise<{ id: string; defaultTeamId: string }> {
  const id = newId(at.getTime());
  const defaultTeamId = newId(at.getTime());
  tx.enqueue`
    insert into organizations (id, slug, name, features, seat_limit, created_at)
    values (${id}, ${slug}, ${name}, ${features}, ${seatLimit}, ${at})`;
  tx.enqueue`
    insert into teams (id, organization_id, name, name_key, is_default, created_at)
    values (${defaultTeamId}, ${id}, ${defaultTeamName}, ${nameKeyOf(defaultTeamName)}, true, ${at})`;
  await joinOrganization({ organizationId: id, user: administrator, role: 'ADMIN', at }, tx);
  return { id, defaultTeamId };
}
