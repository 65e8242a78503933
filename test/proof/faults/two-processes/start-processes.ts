import { randomBytes, randomUUID } from 'node:crypto';
import { createKey } from '../../../../src/modules/api-keys/create-key.ts';
import { databaseOn } from '../../../../src/platform/database/database.ts';
import { openPostgres } from '../../../../src/platform/database/postgres.ts';
import { inTransaction } from '../../../../src/platform/database/transaction.ts';
import { emptyDatabase } from '../../../support/postgres-template.ts';
import { type RunningServer, start, temporaryDirectory } from '../../../support/process.ts';
import { quietLog } from '../../../support/quiet-log.ts';
import { serverUrl } from '../data-location.ts';
import { openForwarder } from './forwarder.ts';

export const redisUrl = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

export type TwoProcesses = Awaited<ReturnType<typeof startTwoProcesses>>;

/**
 * Two processes that share Postgres, Redis, the directory of files and the vault, which the first
 * of them runs. A forwarder with one port is in front of both.
 */
export async function startTwoProcesses() {
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
  const readOutput = (form: RegExp) => form.exec(first.output())?.[1] ?? '';
  const organization = await database.prisma.organization.findFirstOrThrow();
  const administrator = await database.prisma.user.findFirstOrThrow({
    where: { email: 'ada@demo.example' },
  });

  return {
    first,
    second,
    address: front.address,
    database,
    files: new URL(readOutput(/(http\S+\/api\/assistant-files\/\S+\/files)/)).pathname,
    userKey: readOutput(/admin .* key (sk_svc_\w+)/),
    password: readOutput(/ada@demo\.example\s+password (\S+)/),
    /** Creates a key that no request has used. */
    newKey: (kind: 'USER' | 'ORGANIZATION', limitPerMinute?: number) =>
      inTransaction(database, async (tx) => {
        const owner = {
          organizationId: organization.id,
          userId: kind === 'USER' ? administrator.id : null,
          createdById: administrator.id,
        };
        const created = createKey({ ...owner, kind, name: 'of the proof', at: new Date() }, tx);
        if (limitPerMinute)
          tx.enqueue`update api_keys set limit_per_minute = ${limitPerMinute} where id = ${created.id}`;
        return created;
      }),
    async close() {
      await front.close();
      for (const program of [second, first]) await kill(program);
      await database.close();
      await server.close();
      directory.remove();
    },
  };
}

export async function kill(program: RunningServer): Promise<void> {
  program.process.kill('SIGKILL');
  await program.ended;
}
