import { randomBytes, randomUUID } from 'node:crypto';
import { createKey } from '../../../../src/modules/api-keys/create-key.ts';
import { databaseOn } from '../../../../src/platform/database/database.ts';
import { openPostgres } from '../../../../src/platform/database/postgres.ts';
import { inTransaction } from '../../../../src/platform/database/transaction.ts';
import { emptyDatabase } from '../../../support/postgres-template.ts';
import { type Running, start, temporaryDirectory } from '../../../support/process.ts';
import { quietLog } from '../../../support/quiet-log.ts';
import { serverUrl } from '../place.ts';
import { openForwarder } from './forwarder.ts';

export const redisUrl = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

export type Programs = Awaited<ReturnType<typeof openPrograms>>;

/**
 * Two programs on one Postgres, one Redis, one directory of files and one vault, which the first of
 * them runs; before both a port.
 */
export async function openPrograms() {
  const directory = temporaryDirectory();
  const { url, server } = await emptyDatabase(serverUrl);
  const settings = {
    DATABASE_URL: url,
    DATA_DIR: directory.path,
    REDIS_URL: `${redisUrl}?keyPrefix=${randomUUID()}:`,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    VAULT_SECRET: randomBytes(32).toString('hex'),
    USER_KEY_LIMIT: '1000000',
    ORGANIZATION_LIMIT: '1000000',
    VAULT_ORGANIZATION_LIMIT: '1000000',
    VAULT_PERSON_LIMIT: '1000000',
    QUOTA_RUNS: '1000000',
    QUOTA_UPLOADS: '1000000',
  };
  const first = await start(settings);
  const second = await start({ ...settings, VAULT_URL: first.addresses['vault'] ?? '' }, ['api']);
  const front = await openForwarder([first.address, second.address]);
  const database = databaseOn(openPostgres({ databaseUrl: url, log: quietLog }), {
    poolSize: 2,
    log: quietLog,
  });
  const find = (form: RegExp) => form.exec(first.output())?.[1] ?? '';
  const organization = await database.prisma.organization.findFirstOrThrow();
  const administrator = await database.prisma.user.findFirstOrThrow({
    where: { email: 'ada@demo.example' },
  });

  return {
    first,
    second,
    address: front.address,
    database,
    files: new URL(find(/(http\S+\/api\/assistant-files\/\S+\/files)/)).pathname,
    userKey: find(/admin .* key (sk_svc_\w+)/),
    password: find(/ada@demo\.example\s+password (\S+)/),
    /** A key that nobody has used yet. */
    newKey: (kind: 'USER' | 'ORGANIZATION', limitPerMinute?: number) =>
      inTransaction(database, async (tx) => {
        const owner = {
          organizationId: organization.id,
          userId: kind === 'USER' ? administrator.id : null,
          createdById: administrator.id,
        };
        const made = await createKey({ ...owner, kind, name: 'of the proof', at: new Date() }, tx);
        if (limitPerMinute)
          await tx.apiKey.update({ where: { id: made.id }, data: { limitPerMinute } });
        return made;
      }),
    async close() {
      await front.close();
      for (const program of [second, first]) await killed(program);
      await database.close();
      await server.close();
      directory.remove();
    },
  };
}

export async function killed(program: Running): Promise<void> {
  program.process.kill('SIGKILL');
  await program.ended;
}
