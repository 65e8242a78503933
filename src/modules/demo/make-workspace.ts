import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { hashPassword } from '../accounts/passwords/password.ts';
import { createAccount } from '../accounts/sign-up/create-account.ts';
import { createKey } from '../api-keys/create-key.ts';
import { createOrganization } from '../organizations/create-organization.ts';
import { joinOrganization } from '../organizations/join-organization.ts';
import { nameKeyOf } from '../teams/team.ts';

export type WorkspacePerson = { role: string; email: string; firstName: string; lastName: string };
export type WorkspacePlan = {
  slug: string;
  name: string;
  features: readonly string[];
  people: readonly [administrator: WorkspacePerson, ...others: WorkspacePerson[]];
  team: string;
};

export type Workspace = {
  slug: string;
  id: string;
  features: string[];
  organizationKey: string;
  users: { role: string; id: string; email: string; password: string; userKey: string }[];
  teams: { id: string; name: string; isDefault: boolean }[];
  assistants: { id: string; name: string }[];
};

type MakeWorkspaceDependencies = { database: Database; clock: Clock };

/**
 * Creates an organization with people who can sign in and have a user key, two teams, and an
 * organization key. The keys are returned here and cannot be read again.
 */
export async function makeWorkspace(
  { slug, name, features, people, team }: WorkspacePlan,
  { database, clock }: MakeWorkspaceDependencies,
): Promise<Workspace> {
  const [administrator, ...others] = await Promise.all(people.map(withPassword));
  if (!administrator) throw new Error('a workspace needs an administrator');
  return inTransaction(database, async (tx) => {
    const at = clock();
    const account = createAccount(administrator.account(at), tx);
    const organization = await createOrganization(
      { slug, name, features, administrator: account, at },
      tx,
    );
    const owner = { organizationId: organization.id, createdById: account.id, at };
    const users = [userWithKey(administrator, account, owner, tx)];
    // Lists order by time, and a demo has the same order each time.
    const later = (milliseconds: number) => new Date(at.getTime() + milliseconds);
    for (const [index, other] of others.entries()) {
      const user = createAccount(other.account(later(index + 1)), tx);
      await joinOrganization({ organizationId: organization.id, user, at }, tx);
      users.push(userWithKey(other, user, owner, tx));
    }
    const teamId = newId(at.getTime());
    tx.enqueue`
      insert into teams (id, organization_id, name, name_key, created_at)
      values (${teamId}, ${organization.id}, ${team}, ${nameKeyOf(team)}, ${later(1)})`;
    for (const { id } of users.slice(0, 2))
      tx.enqueue`
        insert into team_memberships (team_id, user_id, organization_id) values (${teamId}, ${id}, ${organization.id})`;
    const { key } = createKey(
      { ...owner, kind: 'ORGANIZATION', userId: null, name: 'First organization key' },
      tx,
    );
    const teams = await tx.commitWith<Workspace['teams'][number]>`
      select id, name, is_default as "isDefault" from teams where organization_id = ${organization.id} order by is_default desc`;
    return {
      slug,
      id: organization.id,
      features: [...features],
      organizationKey: key,
      users,
      teams,
      assistants: [],
    };
  });
}

async function withPassword({ role, ...person }: WorkspacePerson) {
  const password = randomBytes(12).toString('base64url');
  const passwordHash = await hashPassword(password);
  return {
    role,
    email: person.email,
    password,
    account: (at: Date) => ({ ...person, passwordHash, at, emailVerified: true }),
  };
}

function userWithKey(
  { role, email, password }: { role: string; email: string; password: string },
  user: { id: string },
  owner: { organizationId: string; createdById: string; at: Date },
  tx: Transaction,
) {
  const { key } = createKey({ ...owner, kind: 'USER', userId: user.id, name: 'First key' }, tx);
  return { role, id: user.id, email, password, userKey: key };
}
