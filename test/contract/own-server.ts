import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount } from '../../src/modules/accounts/sign-up/create-account.ts';
import { createKey } from '../../src/modules/api-keys/create-key.ts';
import { seed } from '../../src/modules/demo/seed.ts';
import { createOrganization } from '../../src/modules/organizations/create-organization.ts';
import { features } from '../../src/modules/organizations/features.ts';
import { createQuotas } from '../../src/modules/quotas/quotas.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';
import { readEnv } from '../../src/platform/env.ts';
import { createStorage } from '../../src/platform/storage/storage.ts';
import { migratedDirectory } from '../support/embedded-template.ts';
import { copyOfTemplate } from '../support/postgres-template.ts';
import { buildConsole, start } from '../support/process.ts';
import { quietLog } from '../support/quiet-log.ts';
import type { Credentials } from './options.ts';

/** Starts the complete program on free ports with demo data and every credential of the suite. */
export async function startOwnServer(): Promise<{
  url: string;
  credentials: Credentials;
  close: () => Promise<void>;
}> {
  const { TEST_DATABASE_URL } = process.env;
  // The page of a sponsored link belongs to the console, so the console is built first.
  buildConsole();
  const directory = await migratedDirectory();
  const postgres =
    TEST_DATABASE_URL === undefined ? undefined : await copyOfTemplate(TEST_DATABASE_URL);
  const settings = { DATA_DIR: directory.path, ...(postgres && { DATABASE_URL: postgres.url }) };
  const credentials = await prepareCredentials(settings);
  const server = await start({ ...settings, NODE_ENV: 'development' });
  return {
    url: server.address,
    credentials: {
      ...credentials,
      'vault-url': server.addresses['vault'] ?? '',
      'vector-db-url': server.addresses['vectorDb'] ?? '',
      'vault-secret': readFileSync(join(directory.path, 'vault-secret'), 'utf8').trim(),
    },
    async close() {
      server.process.kill('SIGKILL');
      await server.ended;
      await postgres?.server.close();
      directory.remove();
    },
  };
}

async function prepareCredentials(settings: Record<string, string>): Promise<Credentials> {
  const env = readEnv(settings);
  const database = await openDatabase({
    databaseUrl: env.DATABASE_URL,
    dataDir: env.DATA_DIR,
    log: quietLog,
  });
  const storage = await createStorage(env, { isSoleUser: true, log: quietLog });
  const quotas = createQuotas({ env, database, log: quietLog });
  try {
    const { organizations } = await seed({
      database,
      clock: systemClock,
      files: { storage, quotas, wake: () => undefined },
    });
    const [partner, otherOrganization, plain] = organizations;
    if (!partner || !otherOrganization || !plain)
      throw new Error('three organizations were to be seeded');
    const administrator = partner.users.find(({ role }) => role === 'admin');
    const userKey = ({ users }: typeof partner, role: string) =>
      users.find((user) => user.role === role)?.userKey ?? '';
    const createPartnerKey = (
      limitPerMinute: number | null,
      dates: { expiresAt?: Date; revokedAt?: Date } = {},
    ) => organizationKey(partner.id, { limitPerMinute, ...dates }, database);
    // The suite sends more requests than the default limit allows. Other keys keep the default,
    // which the suite checks.
    const highLimit = 100_000;
    await database.prisma.apiKey.updateMany({
      where: { organizationId: { in: [partner.id, otherOrganization.id] }, kind: 'USER' },
      data: { limitPerMinute: highLimit },
    });
    return {
      'org-key': await createPartnerKey(highLimit),
      'sponsor-key': await createPartnerKey(highLimit),
      'user-key': userKey(partner, 'admin'),
      'member-key': userKey(partner, 'outsider'),
      'removable-key': userKey(partner, 'viewer'),
      'person-email': administrator?.email ?? '',
      'person-password': administrator?.password ?? '',
      'other-org-key': await organizationKey(
        otherOrganization.id,
        { limitPerMinute: highLimit },
        database,
      ),
      'other-user-key': userKey(otherOrganization, 'admin'),
      'plain-org-key': plain.organizationKey,
      'plain-user-key': userKey(plain, 'admin'),
      'full-org-key': await fullOrganizationKey(database),
      'limited-key': await createPartnerKey(3),
      'expired-key': await createPartnerKey(null, { expiresAt: new Date(Date.now() - 1000) }),
      'revoked-key': await createPartnerKey(null, { revokedAt: new Date() }),
    };
  } finally {
    storage.close();
    quotas.close();
    await database.close();
  }
}

type KeyFields = { limitPerMinute: number | null; expiresAt?: Date; revokedAt?: Date };

async function organizationKey(
  organizationId: string,
  fields: KeyFields,
  database: Database,
): Promise<string> {
  const owner = {
    organizationId,
    kind: 'ORGANIZATION' as const,
    userId: null,
    name: 'Contract',
    createdById: null,
    at: new Date(),
  };
  const { id, key } = await inTransaction(database, (tx) => createKey(owner, tx));
  await database.prisma.apiKey.update({ where: { id }, data: fields });
  return key;
}

/** The key of an organization whose only seat is taken by its administrator. */
async function fullOrganizationKey(database: Database): Promise<string> {
  const at = new Date();
  const { id } = await inTransaction(database, async (tx) => {
    const account = {
      email: 'admin@full.example',
      firstName: 'Ada',
      lastName: 'Full',
      passwordHash: 'none',
      at,
      emailVerified: true,
    };
    const administrator = await createAccount(account, tx);
    return createOrganization(
      { slug: 'full', name: 'Full Ltd', features, seatLimit: 1, administrator, at },
      tx,
    );
  });
  return organizationKey(id, { limitPerMinute: null }, database);
}
