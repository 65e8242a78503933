import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
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
    const account = await createAccount(administrator.account(at), tx);
    const organization = await createOrganization(
      { slug, name, features, administrator: account, at },
      tx,
    );
    const owner = { organizationId: organization.id, createdById: account.id, at };
    const users = [await userWithKey(administrator, account, owner, tx)];
    for (const other of others) {
      const user = await createAccount(other.account(at), tx);
      await joinOrganization({ organizationId: organization.id, user, at }, tx);
      users.push(await userWithKey(other, user, owner, tx));
    }
    const teamId = newId(at.getTime());
    await tx.team.create({
      data: {
        id: teamId,
        organizationId: organization.id,
        name: team,
        nameKey: nameKeyOf(team),
        createdAt: at,
      },
      select: { id: true },
    });
    await tx.teamMembership.createMany({
      data: users
        .slice(0, 2)
        .map(({ id }) => ({ teamId, userId: id, organizationId: organization.id })),
    });
    const { key } = await createKey(
      { ...owner, kind: 'ORGANIZATION', userId: null, name: 'First organization key' },
      tx,
    );
    const teams = await tx.team.findMany({
      where: { organizationId: organization.id },
      select: { id: true, name: true, isDefault: true },
      orderBy: { isDefault: 'desc' },
    });
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

async function userWithKey(
  { role, email, password }: { role: string; email: string; password: string },
  user: { id: string },
  owner: { organizationId: string; createdById: string; at: Date },
  tx: Prisma.TransactionClient,
) {
  const { key } = await createKey(
    { ...owner, kind: 'USER', userId: user.id, name: 'First key' },
    tx,
  );
  return { role, id: user.id, email, password, userKey: key };
}
