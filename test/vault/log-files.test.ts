import { lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openLogFiles } from '../../src/vault/log-files.ts';
import { type RunningServer, start, temporaryDirectory } from '../support/process.ts';
import { bearer, receiver, recordLog, vaultSecret } from '../support/vault.ts';

const directory = temporaryDirectory();
const cleanups: (() => unknown)[] = [];
afterAll(directory.remove);
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close();
});

const settings = { LOG_LEVEL: 'info', LOG_FORMAT: 'json' } as const;
const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(path, name)).isFile(),
  );
const textIn = (path: string) =>
  filesIn(path)
    .map((name) => readFileSync(join(path, name), 'utf8'))
    .join('');

describe('openLogFiles', () => {
  it('Requests are logged in web.log, all other lines in application.log, and both on standard output', async () => {
    const { lines, log, sink } = recordLog();
    const path = join(directory.path, 'both');
    const files = await openLogFiles({ directory: path, settings, log, output: sink });
    files.log.info('something happened');
    files.webLog.info({ status: 200 }, 'answered');
    await files.close();
    const [application, web] = ['application.log', 'web.log'].map((name) =>
      readFileSync(join(path, name), 'utf8'),
    );
    expect(application).toMatch(/^\{.*"something happened"\}\n$/);
    expect(web).toMatch(/^\{.*"status":200.*"answered"\}\n$/);
    expect(lines.join('')).toBe(`${application}${web}`);
  });

  it('Log files continue after a restart, rotate at their maximum size, and the oldest are deleted', async () => {
    const { log, sink } = recordLog();
    const path = join(directory.path, 'many');
    for (let opening = 0; opening < 3; opening += 1) {
      const files = await openLogFiles({
        directory: path,
        settings,
        log,
        output: sink,
        bytesMax: 1_024,
      });
      for (let line = 0; line < 60; line += 1) {
        files.log.info({ opening, line }, 'x'.repeat(200));
        if (line % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      }
      files.log.info({ opening }, 'the last line');
      await expect.poll(() => textIn(path)).toContain(`"opening":${opening},"msg":"the last line"`);
      await files.close();
    }
    const keptFiles = readdirSync(join(path, 'application')).filter((name) =>
      /^application\.\d{4}-\d\d-\d\d\.\d+\.log$/.test(name),
    );
    expect(keptFiles.length).toBeGreaterThan(2);
    await expect
      .poll(
        () =>
          readdirSync(join(path, 'application')).filter((name) => name !== 'current.log').length,
      )
      .toBeLessThanOrEqual(8);
    expect(lstatSync(join(path, 'application.log')).isSymbolicLink()).toBe(true);
  });

  it('The log files of a vault process contain no secret, no heartbeat address and no token of a request', async () => {
    const data = temporaryDirectory();
    cleanups.push(data.remove);
    const heartbeatReceiver = await receiver((_, response) => response.writeHead(500).end());
    const vectorDb = await receiver((_, response) =>
      response.end('{"status":"healthy","documentCount":0}'),
    );
    cleanups.push(heartbeatReceiver.stop, vectorDb.stop);
    const file = join(data.path, 'vault.yaml');
    writeFileSync(file, `logging:\n  heartbeat_url: \${BEAT}\n  log_to_file: true\n`);
    const server: RunningServer = await start(
      {
        VAULT_SECRET: vaultSecret,
        VECTOR_DB_URL: vectorDb.url,
        VAULT_CONFIG: file,
        DATA_DIR: data.path,
        BEAT: `${heartbeatReceiver.url}/only-its-owner-knows`,
      },
      ['vault'],
    );
    cleanups.push(() => server.process.kill('SIGKILL'));
    for (const secret of [vaultSecret, 'a-token-that-was-sent', 'sk_svc_um_0123456789']) {
      await fetch(`${server.address}/health/system`, { headers: bearer(secret) });
      await fetch(`${server.address}/v1/collections/${secret}?secret=${secret}`, {
        headers: { ...bearer(secret), 'x-file-name': secret },
      });
    }
    const logs = join(data.path, 'logs');
    await expect
      .poll(() => textIn(logs), { timeout: 60_000 })
      .toContain('the heartbeat did not arrive');
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(readFileSync(join(logs, 'web.log'), 'utf8').match(/"answered"/g)).toHaveLength(6);
    expect(readFileSync(join(logs, 'application.log'), 'utf8')).not.toContain('"answered"');
    for (const text of [textIn(logs), server.output()]) {
      for (const secret of [
        vaultSecret,
        'a-token-that-was-sent',
        'sk_svc_um_0',
        'only-its-owner',
        new URL(heartbeatReceiver.url).port,
      ])
        expect(text).not.toContain(secret);
    }
  });
});
