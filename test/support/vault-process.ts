import { createServer } from 'node:http';
import { join } from 'node:path';
import { listen } from '../../src/http/server.ts';
import { createLog } from '../../src/platform/log.ts';
import { createVault } from '../../src/vault/vault.ts';
import { openVectorDb } from '../../src/vault/vector-db/vector-db.ts';
import { configFrom, vaultSecret } from './vault.ts';

// One part of the vault in a process that tests kill: only that part, so that it restarts quickly.
const [part, dataDirectory = '', port, vectorDbUrl = ''] = process.argv.slice(2);

const log = createLog({ LOG_LEVEL: 'silent', LOG_FORMAT: 'json' });
const { listener } =
  part === 'vault'
    ? await createVault({
        config: configFrom(''),
        vectorDbUrl,
        dataDirectory,
        log,
        clock: () => new Date(),
      })
    : await openVectorDb({ location: join(dataDirectory, 'vectors'), secret: vaultSecret, log });
await listen(createServer({ requestTimeout: 0 }, listener), {
  HOST: '127.0.0.1',
  PORT: Number(port),
});
process.stdout.write('ready\n');
